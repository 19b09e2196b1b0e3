// How models of ten families print a call of pi's `write` as text. Data for the suites of this folder.

/** Prints one call that writes `content` to `path`. */
export type PrintedCall = (path: string, content: string) => string;

const json = (path: string, content: string) => JSON.stringify({ path, content });

export const PRINTED_CALLS: Readonly<Record<string, PrintedCall>> = {
  hermes: (path, content) => `<tool_call>\n{"name": "write", "arguments": ${json(path, content)}}\n</tool_call>`,
  mistral: (path, content) => `[TOOL_CALLS]write[ARGS]${json(path, content)}`,
  deepseek: (path, content) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>${json(path, content)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  dsml: (path, content) =>
    `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="write">\n<｜DSML｜parameter name="path" string="true">${path}</｜DSML｜parameter>\n<｜DSML｜parameter name="content" string="true">${content}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`,
  kimi: (path, content) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.write:0<|tool_call_argument_begin|>${json(path, content)}<|tool_call_end|><|tool_calls_section_end|>`,
  qwenCoder: (path, content) =>
    `<tool_call>\n<function=write>\n<parameter=path>\n${path}\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
  glm: (path, content) =>
    `<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>${path}</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`,
  minimax: (path, content) =>
    `<minimax:tool_call>\n<invoke name="write">\n<parameter name="path">${path}</parameter>\n<parameter name="content">${content}</parameter>\n</invoke>\n</minimax:tool_call>`,
  harmony: (path, content) =>
    `<|start|>assistant<|channel|>commentary to=functions.write <|constrain|>json<|message|>${json(path, content)}<|call|>`,
  gemma: (path, content) => `<|tool_call>call:write{path:<|"|>${path}<|"|>,content:<|"|>${content}<|"|>}<tool_call|>`,
};

export const FAMILY_NAMES: readonly string[] = Object.keys(PRINTED_CALLS);

/** The call as `family` prints it. */
export function printed(family: string, path: string, content: string): string {
  return (PRINTED_CALLS[family] as PrintedCall)(path, content);
}
