// Runs the installed pi with the built package against a scripted server, in folders of its own, and hands back what
// went over the wire and what was stored. For tests of the pi door only.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** Wire text of the arguments. */
  readonly arguments: string;
}

export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
}

export interface WireMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
}

export interface StoredCall {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly argumentsError?: string;
  readonly repair?: { names: string[]; original: unknown; originalName?: string };
}

export interface DoorRun {
  readonly code: number | null;
  readonly stderr: string;
  /** Messages of the last request, without the system prompt and the user's prompt. */
  readonly history: readonly WireMessage[];
  /** Text of every tool result in the last request, by order. */
  readonly results: readonly string[];
  /** Tool declarations of the last request, by name. */
  readonly declared: ReadonlyMap<string, { description: string; parameters: unknown }>;
  readonly systemPrompt: string;
  /** Tool calls as the session file holds them. */
  readonly stored: readonly StoredCall[];
  readonly sessionFile: string;
  /** What the session file held when pi had ended. */
  readonly session: string;
  /** Content of a file in the work folder, or `undefined`. */
  file(name: string): string | undefined;
  readonly names: readonly string[];
}

export interface DoorOptions {
  readonly turns: readonly ScriptedTurn[];
  /** Files of the work folder by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Sources of further extensions, loaded before or after the package. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** What the file of a session held that is opened again; its folder is the work folder of this run. */
  readonly resumes?: string;
  /** `false` runs pi without the package. */
  readonly mended?: boolean;
}

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

/** One print-mode run of pi; every call of `turns` is answered in order, then the server says "done". */
export async function throughDoor(options: DoorOptions): Promise<DoorRun> {
  const home = mkdtempSync(join(tmpdir(), "pi-mend-door-"));
  const server = await startScriptedServer(options.turns);
  try {
    const cwd = join(home, "work");
    mkdirSync(cwd);
    for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(cwd, name), text);
    const source = (text: string, index: number, when: string) => {
      const path = join(home, `${when}-${index}.ts`);
      writeFileSync(path, text);
      return path;
    };
    const resumed = join(home, "resumed.jsonl");
    if (options.resumes !== undefined) writeFileSync(resumed, movedTo(cwd, options.resumes));
    const run = await runPi({
      home,
      cwd,
      serverUrl: server.url,
      extensions: [
        ...(options.before ?? []).map((text, index) => source(text, index, "before")),
        ...(options.mended === false ? [] : [PACKAGE]),
        ...(options.after ?? []).map((text, index) => source(text, index, "after")),
      ],
      prompt: "Begin.",
      env: { ...options.env },
      args: [...(options.resumes === undefined ? [] : ["--session", resumed]), ...(options.args ?? [])],
    });
    const sessionFile = options.resumes === undefined ? run.sessionFile : resumed;
    const last = server.requests.at(-1);
    const messages: readonly WireMessage[] = last?.messages ?? [];
    const history = messages.slice(messages.findIndex((message) => message.role === "user") + 1);
    const written = new Map(readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), "utf8")]));
    return {
      code: run.code,
      stderr: run.stderr,
      history,
      results: history.filter((message) => message.role === "tool").map((message) => message.content ?? ""),
      declared: new Map(
        (last?.tools ?? []).map((tool: { function: { name: string } }) => [tool.function.name, tool.function]),
      ),
      systemPrompt: String(messages[0]?.content ?? ""),
      stored: storedCalls(sessionFile),
      sessionFile,
      session: readFileSync(sessionFile, "utf8"),
      file: (name) => written.get(name),
      names: [...written.keys()].sort(),
    };
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A stored session as if it had been made in another folder. */
function movedTo(cwd: string, session: string): string {
  const [head = "", ...entries] = session.split("\n");
  return [JSON.stringify({ ...JSON.parse(head), cwd }), ...entries].join("\n");
}

function storedCalls(sessionFile: string): StoredCall[] {
  const entries = readFileSync(sessionFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant"
      ? entry.message.content.filter((block: StoredCall) => block.type === "toolCall")
      : [],
  );
}
