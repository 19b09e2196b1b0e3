// One session of the real pi with the extensions that pi itself brings, MCP and codemode among them, and pi-mend between those
// of a test. For the coexistence tests only.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TelemetryRecord } from "../../../src/memory/telemetry/telemetry.schema.ts";
import { telemetryLog } from "../../../src/memory/telemetry/telemetry-log.ts";
import { tempFolder } from "../../memory/support/temp-folder.ts";

const DEMO = new URL("../../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);
const PACKAGE = dirname(dirname(dirname(import.meta.dirname)));

export interface Run {
  readonly code: number | null;
  readonly stderr: string;
  readonly results: readonly string[];
  readonly stored: readonly { arguments: unknown; repair?: { names: string[] }; marked?: boolean }[];
  /** `list.txt` when pi had ended, and the names of all files beside it. */
  readonly file: string;
  readonly names: readonly string[];
  /** The telemetry of the session. */
  readonly telemetry: readonly TelemetryRecord[];
}

export interface Config {
  readonly mcp?: object;
  readonly settings?: object;
  /** Sources of further extensions, loaded before or after pi-mend. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Every call in a turn of its own, in a folder that holds `list.txt`. */
export async function session(calls: readonly (readonly [name: string, args: string])[], config: Config): Promise<Run> {
  const home = tempFolder();
  const [cwd, agent] = [join(home, "work"), join(home, ".pi/agent")];
  for (const folder of [cwd, agent]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "list.txt"), "one two three\n");
  if (config.mcp) writeFileSync(join(agent, "mcp.json"), JSON.stringify({ mcpServers: config.mcp }));
  if (config.settings) writeFileSync(join(agent, "settings.json"), JSON.stringify(config.settings));
  const files = (sources: readonly string[] = [], when: string) =>
    sources.map((source, index) => {
      const path = join(home, `${when}-${index}.ts`);
      writeFileSync(path, source);
      return path;
    });
  const extensions = [...files(config.before, "before"), PACKAGE, ...files(config.after, "after")];
  const turns = calls.map(([name, args], at) => ({ calls: [{ id: `c${at}`, name, arguments: args }] }));
  const server = await startScriptedServer(turns);
  const run = await runPi({ home, cwd, serverUrl: server.url, extensions, prompt: "Begin.", alone: false });
  await server.close();
  const messages: { role: string; content: string }[] = server.requests.at(-1)?.messages ?? [];
  const entries = readFileSync(run.sessionFile, "utf8").trim().split("\n");
  const stored = entries.flatMap((line) => {
    const { message } = JSON.parse(line);
    return message?.role === "assistant" ? message.content.filter((b: { type: string }) => b.type === "toolCall") : [];
  });
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const { records: telemetry } = telemetryLog(join(agent, "pi-mend", "telemetry.jsonl")).read(Date.now());
  const file = readFileSync(join(cwd, "list.txt"), "utf8");
  return { code: run.code, stderr: run.stderr, results, stored, file, names: readdirSync(cwd).sort(), telemetry };
}
