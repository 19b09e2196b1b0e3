// A session whose user goes back in its tree: what the model is told goes by the branch that it sees.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./memory/support/temp-folder.ts";
import { rpcPi } from "./support/rpc-pi.ts";

const DEMO = new URL("../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const PACKAGE = dirname(import.meta.dirname);

/** Goes back to before the first prompt. */
const BACK = `export default function (pi) {
  pi.registerCommand("back", {
    description: "to the start",
    handler: async (_args, ctx) => {
      const first = ctx.sessionManager.getBranch().find(({ message }) => message?.role === "user");
      await ctx.navigateTree(first.id);
    },
  });
}
`;

test("a lesson on a branch that was left is given again on the new one, and only there", async () => {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "the file\n");
  writeFileSync(join(home, "back.ts"), BACK);
  const calls = [{ id: "c1", name: "read", arguments: '{"file_path":"a.txt"}' }];
  const server = await startScriptedServer([{ calls }, { calls }, { text: "one" }, { calls }, { text: "two" }]);
  const pi = rpcPi({ home, cwd, extension: PACKAGE, serverUrl: server.url, args: ["-e", join(home, "back.ts")] });
  const ends = () => pi.events.filter(({ type }) => type === "agent_end").length;
  const run = async (prompt: string) => {
    const ended = ends();
    await pi.prompt(prompt);
    await pi.event(() => ends() > ended);
  };
  const notes = () => {
    const results = server.requests.at(-1).messages.filter(({ role }: { role: string }) => role === "tool");
    return results.map(({ content }: { content: string }) => content.includes("[harness]"));
  };
  try {
    await run("Begin.");
    expect(notes()).toEqual([true, false]);
    await pi.prompt("/back");
    await run("Begin again.");
    expect(notes()).toEqual([true]);
  } finally {
    await pi.close();
    await server.close();
  }
}, 60_000);
