// Tools that reach pi over the model context protocol, from the protocol's own test server on a real stdio connection, and
// calls that codemode scripts make.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";

const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);
const PACKAGE = dirname(dirname(import.meta.dirname));
const EVERYTHING = dirname(findPackageJSON("@modelcontextprotocol/server-everything", import.meta.url)!);

interface Run {
  readonly code: number | null;
  readonly stderr: string;
  readonly results: readonly string[];
  readonly stored: readonly { arguments: unknown; repair?: { names: string[] } }[];
}

async function session(calls: readonly [name: string, args: string][], config: { mcp?: object; settings?: object }) {
  const home = tempFolder();
  const [cwd, agent] = [join(home, "work"), join(home, ".pi/agent")];
  for (const folder of [cwd, agent]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "list.txt"), "one two three\n");
  if (config.mcp) writeFileSync(join(agent, "mcp.json"), JSON.stringify({ mcpServers: config.mcp }));
  if (config.settings) writeFileSync(join(agent, "settings.json"), JSON.stringify(config.settings));
  const turns = calls.map(([name, args], at) => ({ calls: [{ id: `c${at}`, name, arguments: args }] }));
  const server = await startScriptedServer(turns);
  const run = await runPi({ home, cwd, serverUrl: server.url, extensions: [PACKAGE], prompt: "Begin.", alone: false });
  await server.close();
  const messages: { role: string; content: string }[] = server.requests.at(-1)?.messages ?? [];
  const entries = readFileSync(run.sessionFile, "utf8").trim().split("\n");
  const stored = entries.flatMap((line) => {
    const { message } = JSON.parse(line);
    return message?.role === "assistant" ? message.content.filter((b: { type: string }) => b.type === "toolCall") : [];
  });
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  return { code: run.code, stderr: run.stderr, results, stored, file: readFileSync(join(cwd, "list.txt"), "utf8") };
}

describe("tools of @modelcontextprotocol/server-everything", () => {
  const { bin } = JSON.parse(readFileSync(join(EVERYTHING, "package.json"), "utf8"));
  const script = join(EVERYTHING, typeof bin === "string" ? bin : (Object.values(bin)[0] as string));
  const everything = { command: process.execPath, args: [script, "stdio"], exposure: "direct" };

  test("are repaired by their schemas and run on the server", async () => {
    const run: Run = await session(
      [
        ["mcp__everything__echo", '{"message":["hello there"]}'],
        ["mcp__everything__get_sum", '{"a":"2","b":"40"}'],
        ["mcp__everything__echo", '{"arguments":{"message":"wrapped"}}'],
        ["mcp__everything__get_sum", '{"a":"two","b":40}'],
      ],
      { mcp: { everything } },
    );
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("hello there");
    expect(run.results[1]).toContain("42");
    expect(run.results[2]).toContain("wrapped");
    expect(run.results[3]).toContain("Invalid arguments");
    expect(run.stored.map(({ repair }) => repair?.names)).toEqual([
      ["singleElementUnwrap"],
      ["numberFromString"],
      ["envelopeUnwrap"],
      undefined,
    ]);
    expect(run.stored[1]?.arguments).toEqual({ a: 2, b: 40 });
  }, 60_000);
});

test("a call that a codemode script makes reaches pi's edit repaired", async () => {
  const code = `return await tools.edit({ file_path: "list.txt", old_string: "two", new_string: "2" })`;
  const settings = { defaultTools: ["+codemode"] };
  const run = await session([["codemode", JSON.stringify({ code })]], { settings });
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(run.file).toBe("one 2 three\n");
});

test("the script's own call is repaired before codemode runs it", async () => {
  const code = `return await tools.read({ path: "list.txt" })`;
  const settings = { defaultTools: ["+codemode"] };
  const run = await session([["codemode", JSON.stringify({ arguments: { code } })]], { settings });
  expect(run.results[0]).toContain("one two three");
  expect(run.stored[0]).toMatchObject({ arguments: { code }, repair: { names: ["envelopeUnwrap"] } });
});
