// One sample writer a family: how a model of that family prints calls. Data for the suites of this folder; every sample is
// written here, none is taken from anywhere.

export interface SampleCall {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface FamilySample {
  readonly family: string;
  /** The text of one or more calls as the family prints them. */
  readonly print: (...calls: readonly SampleCall[]) => string;
  /** One call a message. */
  readonly single?: true;
  /** Only as the end of the message: it has no marker of its own, or its marker is an ordinary word. */
  readonly bare?: true;
  /** Complete without its close tag: what is cut must be cut inside the arguments. */
  readonly indent?: true;
}

const json = (value: unknown) => JSON.stringify(value);
const each =
  (write: (call: SampleCall, index: number) => string, join = "") =>
  (...calls: readonly SampleCall[]) =>
    calls.map(write).join(join);
const list = (calls: readonly SampleCall[], nameKey: string, argsKey: string) =>
  json(calls.map(({ name, args }) => ({ [nameKey]: name, [argsKey]: args })));
const python = ({ name, args }: SampleCall) =>
  `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}=${json(value)}`)
    .join(", ")})`;
const elements = (args: SampleCall["args"], write: (key: string, value: string) => string, join = "") =>
  Object.entries(args)
    .map(([key, value]) => write(key, value))
    .join(join);
const token = ({ name, args }: SampleCall, mark: string) =>
  `call:${name}{${elements(args, (key, value) => `${key}:${mark}${value}${mark}`, ",")}}`;
const MARK = "]<]minimax[>[";

export const FAMILIES: readonly FamilySample[] = [
  {
    family: "hermes",
    print: each(({ name, args }) => `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`, "\n"),
  },
  {
    family: "qwen2.5-coder",
    print: each(({ name, args }) => `<tools>\n${json({ name, arguments: args })}\n</tools>`, "\n"),
  },
  { family: "granite", print: (...calls) => `<|tool_call|> ${list(calls, "name", "arguments")}` },
  {
    family: "granite-20b",
    print: each(({ name, args }) => `<function_call> ${json({ name, arguments: args })}`, "\n"),
  },
  {
    family: "longcat",
    print: each(({ name, args }) => `<longcat_tool_call>${json({ name, arguments: args })}</longcat_tool_call>`),
  },
  { family: "nemotron", print: (...calls) => `<TOOLCALL>${list(calls, "name", "arguments")}</TOOLCALL>` },
  { family: "jamba", print: (...calls) => `<tool_calls>${list(calls, "name", "arguments")}</tool_calls>` },
  {
    family: "minimax-m1",
    print: (...calls) =>
      `<tool_calls>\n${calls.map(({ name, args }) => json({ name, arguments: args })).join("\n")}\n</tool_calls>`,
  },
  {
    family: "internlm",
    single: true,
    print: each(({ name, args }) => `<|action_start|><|plugin|>${json({ name, parameters: args })}<|action_end|>`),
  },
  { family: "mistral list", print: (...calls) => `[TOOL_CALLS] ${list(calls, "name", "arguments")}` },
  { family: "mistral v11", print: each(({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${json(args)}`) },
  { family: "phi functools", print: (...calls) => `functools${list(calls, "name", "arguments")}` },
  {
    family: "command-a",
    print: (...calls) => `<|START_ACTION|>${list(calls, "tool_name", "parameters")}<|END_ACTION|>`,
  },
  {
    family: "apertus",
    print: (...calls) => `<|tools_prefix|>${json(calls.map(({ name, args }) => ({ [name]: args })))}<|tools_suffix|>`,
  },
  {
    family: "gigachat",
    single: true,
    print: each(({ name, args }) => `<|message_sep|>\n\nfunction call<|role_sep|>\n${json({ name, arguments: args })}`),
  },
  {
    family: "gigachat token",
    single: true,
    print: each(({ name, args }) => `<|function_call|>${json({ name, arguments: args })}`),
  },
  { family: "llama python_tag", print: each(({ name, args }) => `<|python_tag|>${json({ name, parameters: args })}`) },
  {
    family: "deepseek v3",
    print: (...calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          ({ name, args }) =>
            `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(args)}\n\`\`\`<｜tool▁call▁end｜>`,
        )
        .join("")}<｜tool▁calls▁end｜>`,
  },
  {
    family: "deepseek v3.1",
    print: (...calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(({ name, args }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(args)}<｜tool▁call▁end｜>`)
        .join("")}<｜tool▁calls▁end｜>`,
  },
  {
    family: "dsml",
    print: (...calls) =>
      `<｜DSML｜tool_calls>\n${calls
        .map(
          ({ name, args }) =>
            `<｜DSML｜invoke name="${name}">\n${elements(args, (key, value) => `<｜DSML｜parameter name="${key}" string="true">${value}</｜DSML｜parameter>\n`)}</｜DSML｜invoke>\n`,
        )
        .join("")}</｜DSML｜tool_calls>`,
  },
  {
    family: "kimi",
    print: (...calls) =>
      `<|tool_calls_section_begin|>${calls
        .map(
          ({ name, args }, index) =>
            `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(args)}<|tool_call_end|>`,
        )
        .join("")}<|tool_calls_section_end|>`,
  },
  { family: "kimi without tokens", print: each(({ name, args }, index) => `functions.${name}:${index}${json(args)}`) },
  {
    family: "kimi elements",
    print: (...calls) =>
      `<|open|>tools<|sep|>${calls
        .map(
          ({ name, args }, index) =>
            `<|open|>call tool="${name}" index="${index}"<|sep|>${elements(args, (key, value) => `<|open|>argument key="${key}" type="string"<|sep|>${value}<|close|>argument<|sep|>`)}<|close|>call<|sep|>`,
        )
        .join("")}<|close|>tools<|sep|>`,
  },
  {
    family: "qwen coder",
    print: each(
      ({ name, args }) =>
        `<tool_call>\n<function=${name}>\n${elements(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</tool_call>`,
      "\n",
    ),
  },
  {
    family: "seed",
    print: each(
      ({ name, args }) =>
        `<seed:tool_call>\n<function=${name}>\n${elements(args, (key, value) => `<parameter=${key}>${value}</parameter>\n`)}</function>\n</seed:tool_call>`,
      "\n",
    ),
  },
  {
    family: "minicpm",
    print: each(
      ({ name, args }) =>
        `<function name="${name}">${elements(args, (key, value) => `<param name="${key}">${value}</param>`)}</function>`,
      "\n",
    ),
  },
  {
    family: "glm",
    print: each(
      ({ name, args }) =>
        `<tool_call>${name}\n${elements(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)}</tool_call>`,
      "\n",
    ),
  },
  { family: "laguna", print: each(({ name, args }) => `<tool_call>${name}\n${json(args)}</tool_call>`, "\n") },
  {
    family: "hunyuan",
    print: (...calls) =>
      `<tool_calls>${calls
        .map(
          ({ name, args }) =>
            `<tool_call>${name}<tool_sep>${elements(args, (key, value) => `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`)}</tool_call>`,
        )
        .join("")}</tool_calls>`,
  },
  {
    family: "minimax-m2",
    print: (...calls) =>
      `<minimax:tool_call>\n${calls
        .map(
          ({ name, args }) =>
            `<invoke name="${name}">\n${elements(args, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>\n`,
        )
        .join("")}</minimax:tool_call>`,
  },
  {
    family: "minimax-m3",
    print: (...calls) =>
      `${MARK}<tool_call>\n${calls
        .map(
          ({ name, args }) =>
            `${MARK}<invoke name="${name}">${elements(args, (key, value) => `${MARK}<${key}>${value}${MARK}</${key}>`)}${MARK}</invoke>\n`,
        )
        .join("")}${MARK}</tool_call>`,
  },
  {
    family: "invoke",
    print: (...calls) =>
      `<function_calls>\n${calls
        .map(
          ({ name, args }) =>
            `<invoke name="${name}">\n${elements(args, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>\n`,
        )
        .join("")}</function_calls>`,
  },
  {
    family: "muse",
    print: (...calls) =>
      `<atem:function_calls>\n${calls
        .map(
          ({ name, args }) =>
            `<atem:invoke name="${name}">\n${elements(args, (key, value) => `<atem:parameter name="${key}">${value}</atem:parameter>\n`)}</atem:invoke>\n`,
        )
        .join("")}</atem:function_calls>`,
  },
  {
    family: "step3",
    print: (...calls) =>
      `<｜tool_calls_begin｜>${calls
        .map(
          ({ name, args }) =>
            `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${name}">${elements(args, (key, value) => `<steptml:parameter name="${key}">${value}</steptml:parameter>`)}</steptml:invoke><｜tool_call_end｜>`,
        )
        .join("")}<｜tool_calls_end｜>`,
  },
  { family: "lfm", print: (...calls) => `<|tool_call_start|>[${calls.map(python).join(", ")}]<|tool_call_end|>` },
  { family: "llama4", print: (...calls) => `<|python_start|>[${calls.map(python).join(", ")}]<|python_end|>` },
  { family: "olmo", print: (...calls) => `<function_calls>${calls.map(python).join("\n")}</function_calls>` },
  {
    family: "harmony",
    print: each(
      ({ name, args }) =>
        `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(args)}<|call|>`,
    ),
  },
  { family: "gemma", print: each((call) => `<|tool_call>${token(call, '<|"|>')}<tool_call|>`) },
  {
    family: "functiongemma",
    print: each((call) => `<start_function_call>${token(call, "<escape>")}<end_function_call>`),
  },
  { family: "gemma without tokens", bare: true, single: true, print: each((call) => token(call, '<|"|>')) },
  { family: "functionary", print: each(({ name, args }) => `>>>${name}\n${json(args)}`) },
  {
    family: "functionary tokens",
    print: each(({ name, args }) => `<|from|>assistant\n<|recipient|>${name}\n<|content|>${json(args)}`, "\n"),
  },
  {
    family: "inkling",
    print: each(
      ({ name, args }) => `<|message_model|>${name}<|content_invoke_tool_json|>${json({ name, args })}<|end_message|>`,
    ),
  },
  { family: "calling tool", print: each(({ name, args }) => `[Calling tool: ${name}(${json(args)})]`, "\n") },
  { family: "pi call", print: each(({ name, args }) => `<pi:call name="${name}">${json(args)}</pi:call>`, "\n") },
  { family: "bare object", bare: true, print: each(({ name, args }) => json({ name, arguments: args }), "\n") },
  { family: "bare list", bare: true, print: (...calls) => list(calls, "name", "arguments") },
  { family: "pythonic", bare: true, print: (...calls) => `[${calls.map(python).join(", ")}]` },
  {
    family: "lost mistral marker",
    bare: true,
    single: true,
    print: each(({ name, args }) => `${name}[ARGS]${json(args)}`),
  },
];

/** The tools that the samples call. */
export const SAMPLE_TOOLS = [
  {
    name: "fetch_page",
    parameters: {
      type: "object",
      properties: { address: { type: "string" }, note: { type: "string" } },
      required: ["address"],
    },
  },
  {
    name: "store",
    parameters: {
      type: "object",
      properties: { key: { type: "string" }, text: { type: "string" } },
      required: ["key", "text"],
    },
  },
] as const;

export const FETCH: SampleCall = { name: "fetch_page", args: { address: "docs/intro" } };
export const STORE: SampleCall = { name: "store", args: { key: "k 1", text: "two\nlines, <b>bold</b>" } };
export const UNKNOWN: SampleCall = { name: "launch_rocket", args: { target: "moon" } };
