// Tools that reach pi over the model context protocol, from the protocol's own test server on a real stdio connection, and
// calls that codemode scripts make.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHANGES_RESULTS, MARKS_MESSAGES } from "../support/extensions.ts";
import { session } from "./support/session.ts";

const EVERYTHING = dirname(findPackageJSON("@modelcontextprotocol/server-everything", import.meta.url)!);

describe("tools of @modelcontextprotocol/server-everything", () => {
  const { bin } = JSON.parse(readFileSync(join(EVERYTHING, "package.json"), "utf8"));
  const script = join(EVERYTHING, typeof bin === "string" ? bin : (Object.values(bin)[0] as string));
  const everything = { command: process.execPath, args: [script, "stdio"], exposure: "direct" };

  test("are repaired by their schemas and run on the server", async () => {
    const run = await session(
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

test("the calls that a script makes are counted apart from the model's", async () => {
  const code = `await tools.read({ path: "list.txt" });
    try { await tools.read({ path: 'a secret'.split(" ") }) } catch {}
    try { await tools.read({ path: "no such file" }) } catch {}
    await tools.write({ path: "copy.txt", content: "two" })`;
  const settings = { defaultTools: ["+codemode"] };
  const run = await session([["codemode", JSON.stringify({ code })]], { settings });
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(run.telemetry).toMatchObject([
    { kind: "clean", calls: 1, errors: 0, tools: { codemode: 1 } },
    { kind: "nested", calls: 4, errors: 2, tools: { read: 3, write: 1 } },
  ]);
  expect(JSON.stringify(run.telemetry)).not.toContain("secret");
});

describe.each(["before", "after"] as const)("with other extensions %s pi-mend, a script's calls", (when) => {
  const others = { [when]: [MARKS_MESSAGES, CHANGES_RESULTS], settings: { defaultTools: ["+codemode"] } };
  const scripted = (code: string) => session([["codemode", JSON.stringify({ code })]], others);

  test("of edit are repaired, and the others' marks and changes are there", async () => {
    const run = await scripted(`await tools.edit({ file_path: "list.txt", old_string: "two", new_string: "a secret" });
      return await tools.read({ path: "list.txt" })`);
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.file).toBe("one a secret three\n");
    expect(run.results[0]).toContain("one a [hidden] three");
    expect(run.stored[0]).toMatchObject({ marked: true });
    expect(run.stored[0]).not.toHaveProperty("repair");
  });

  test("that are right run as they are: nothing is taught in the middle of a script", async () => {
    const run = await scripted(`const one = await tools.read({ path: "list.txt", limit: 1 });
      await tools.write({ path: "copy.txt", content: String(one) }); return one`);
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).not.toContain("[harness]");
    expect(run.names).toEqual(["copy.txt", "list.txt"]);
  });

  test("of other tools that are wrong fail in pi's words, where the script can catch them", async () => {
    const run = await scripted(
      `try { return await tools.read({ file_path: "list.txt" }) } catch (error) { return "caught: " + error.message }`,
    );
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toMatch(/caught: Validation failed for tool "read":\n\s*- path: missing/);
  });
});
