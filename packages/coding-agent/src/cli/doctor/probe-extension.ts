// The source of the extension that a probe loads into pi: it uses each hook that pi-mend relies on once and writes down what
// it saw. Text, because pi loads extensions from files.

export const PROBE_TOOL = "pi_mend_probe";
export const PROBE_NOTE = "[pi-mend probe note]";
export const PROBE_SECTION = "pi_mend_probe";
/** What the probe makes of the text of a call: the message's end says so, before pi runs it. */
export const PROBE_REFUSED = "[pi-mend probe refusal]";

/** What the extension saw. */
export interface Sighting {
  readonly functions: Readonly<Record<string, boolean>>;
  readonly tools: readonly { readonly name: string; readonly source: string; readonly path: string }[];
  /** Arguments of the calls that ran. */
  readonly ran: readonly unknown[];
  readonly argumentsError?: string;
  readonly context?: boolean;
  readonly contextWithSystem?: boolean;
  /** Whether pi's own modules answer to the names that the package asks for. */
  readonly legacyNames?: boolean;
}

export const PROBE_EXTENSION = `
import { writeFileSync } from "node:fs";
if (typeof __filename === "undefined") throw new Error("for the loader of pi");
const known = (load) => load().then((module) => module !== undefined, () => false);
const legacyNames = (await known(() => import("@mariozechner/pi-coding-agent"))) &&
  (await known(() => import("@mariozechner/pi-tui")));
export default function (pi) {
  const seen = { functions: {}, tools: [], ran: [], legacyNames };
  const save = () => writeFileSync(process.env.PI_MEND_PROBE_FILE, JSON.stringify(seen));
  const model = { id: "probe", name: "probe", reasoning: false, input: ["text"], contextWindow: 100000, maxTokens: 1000,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
  pi.registerProvider("pi-mend-probe", {
    baseUrl: process.env.PI_MEND_PROBE_URL, apiKey: "unused", api: "openai-completions", models: [model],
  });
  pi.registerTool({
    name: "${PROBE_TOOL}", label: "probe", description: "probe",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    async execute(_id, args) { seen.ran.push(args); save(); return { content: [{ type: "text", text: "ran" }] }; },
  });
  pi.on("session_start", (_event, ctx) => {
    for (const name of ["getAllTools", "getActiveTools", "registerToolRenderer", "registerCommand"])
      seen.functions[name] = typeof pi[name] === "function";
    seen.functions["events.on"] = typeof pi.events?.on === "function";
    seen.functions["ctx.isProjectTrusted"] = typeof ctx.isProjectTrusted === "function";
    seen.functions["ctx.sessionManager.getBranch"] = typeof ctx.sessionManager?.getBranch === "function";
    save();
  });
  pi.on("before_agent_start", (event) => {
    seen.tools = pi.getAllTools().map((tool) => ({
      name: tool.name, source: String(tool.sourceInfo?.source ?? ""), path: String(tool.sourceInfo?.path ?? ""),
    }));
    if (event.systemPromptOptions?.sections) event.systemPromptOptions.sections.${PROBE_SECTION} = "probe";
    save();
  });
  pi.on("context", () => { seen.context = true; save(); });
  pi.on("context_with_system", () => { seen.contextWithSystem = true; save(); });
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant" || !message.content.some((block) => block.type === "toolCall")) return;
    const content = message.content.map((block) => {
      if (block.type !== "toolCall") return block;
      if (block.argumentsError !== undefined) seen.argumentsError = block.argumentsError;
      if (block.argumentsError !== undefined || block.arguments?.text === null) return block;
      if (block.arguments?.text === "refuse") return { ...block, argumentsError: "${PROBE_REFUSED}" };
      return { ...block, arguments: { text: "replaced" } };
    });
    save();
    return { message: { ...message, content } };
  });
  pi.on("tool_result", (event) => ({ content: [...event.content, { type: "text", text: "${PROBE_NOTE}" }] }));
}
`;
