// Runs the installed pi with the built package and given settings against a scripted server, in folders of its own, and hands
// back every request, every stored message and every file.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScriptedTurn, StoredCall, WireMessage } from "../../support/door.ts";

export interface StoredBlock extends Partial<StoredCall> {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
}

export interface StoredEntry {
  readonly type: string;
  readonly customType?: string;
  readonly content?: string;
  readonly message?: { readonly role: string; readonly stopReason?: string; readonly content: readonly StoredBlock[] };
}

export interface LeakRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Messages of every request, behind the system prompt. */
  readonly requests: readonly (readonly WireMessage[])[];
  readonly systemPrompts: readonly string[];
  /** Names of the tools that each request declares. */
  readonly declared: readonly (readonly string[])[];
  readonly entries: readonly StoredEntry[];
  /** Content of the stored assistant messages, in order. */
  readonly stored: readonly (readonly StoredBlock[])[];
  readonly files: ReadonlyMap<string, string>;
}

export interface LeakRunOptions {
  readonly turns: readonly ScriptedTurn[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly prompt?: string;
  /** Source of a further extension, loaded before the package. */
  readonly before?: string;
}

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const DEMO = new URL("../../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

/** One print-mode run; after the turns the server says "done" to every request. */
export async function leakRun(options: LeakRunOptions): Promise<LeakRun> {
  const { turns, settings = {}, files = {}, prompt = "Begin.", before } = options;
  const home = mkdtempSync(join(tmpdir(), "pi-mend-text-"));
  const server = await startScriptedServer(turns);
  try {
    const cwd = join(home, "work");
    mkdirSync(cwd);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const settingsFile = join(home, "settings.json");
    writeFileSync(settingsFile, JSON.stringify(settings));
    const env = { PI_MEND_SETTINGS: settingsFile, PI_MEND_TELEMETRY: "off" };
    const extensions = [PACKAGE];
    if (before !== undefined) {
      extensions.unshift(join(home, "before.ts"));
      writeFileSync(join(home, "before.ts"), before);
    }
    const run = await runPi({ home, cwd, serverUrl: server.url, extensions, prompt, env });
    const bodies: readonly { messages: WireMessage[]; tools?: { function: { name: string } }[] }[] = server.requests;
    const lines = readFileSync(run.sessionFile, "utf8").trim().split("\n");
    const entries: StoredEntry[] = lines.map((line) => JSON.parse(line));
    return {
      code: run.code,
      stdout: run.stdout,
      stderr: run.stderr,
      requests: bodies.map(({ messages }) => messages.slice(1)),
      systemPrompts: bodies.map(({ messages }) => String(messages[0]?.content ?? "")),
      declared: bodies.map(({ tools }) => (tools ?? []).map((tool) => tool.function.name)),
      entries,
      stored: entries.flatMap(({ message }) => (message?.role === "assistant" ? [message.content] : [])),
      files: new Map(readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), "utf8")])),
    };
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** What a message says on the wire, whatever form its content has. */
export function wireText(message: WireMessage | undefined): string {
  const content: unknown = message?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("") : "";
}
