// Under a policy that forbids making code from texts: what pi loads, the shell command and the core do all they do.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "./memory/support/temp-folder.ts";

const { PI_CLI } = await import(new URL("../../../scripts/demo/run-pi.mjs", import.meta.url).href);

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STRICT = "--disallow-code-generation-from-strings";

function strict(...args: string[]) {
  const folder = tempFolder();
  const env = { ...process.env, HOME: folder, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", PI_TELEMETRY: "0" };
  return spawnSync(process.execPath, [STRICT, ...args], { encoding: "utf8", env, cwd: folder, timeout: 60_000 });
}

const script = (text: string) => strict("--input-type=module", "-e", text);
const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

test("the policy holds in these processes", () => {
  expect(script('new Function("return 1")()').stderr).toMatch(/EvalError/);
});

test("the core checks, repairs, bounces and reads texts", () => {
  const run = script(`
    import { formatBounce, parseTextToolCalls, readLeakedCalls, repairToolArguments } from ${url("../../ai/dist/utils/tool-repair/index.js")};
    const parameters = { type: "object", properties: { path: { type: "string", pattern: "^a" }, limit: { type: "integer" } }, required: ["path"] };
    const tool = { name: "read", parameters, hints: { aliases: { path: ["file"] }, pathFields: ["path"] } };
    const out = [{ path: "a" }, { file: "a", limit: "5" }, { path: null }].map((args) => repairToolArguments(tool, args));
    out.push(formatBounce(out[2], tool), readLeakedCalls('<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>', [tool]).calls.length);
    out.push(parseTextToolCalls('<pi:call name="read">{"path":"a"}</pi:call>', [tool]).calls.length);
    console.log(JSON.stringify(out.map((one) => one.outcome ?? (typeof one === "string" ? one !== "" : one))));
  `);
  expect(run.stderr).toBe("");
  expect(JSON.parse(run.stdout)).toEqual(["clean", "repaired", "bounced", true, 1, 1]);
});

test("the real pi loads the package and runs its command", () => {
  const run = strict(PI_CLI, "-e", at(".."), "-p", "/mend health");
  expect(run.stderr).not.toMatch(/EvalError|code generation/i);
  expect(run).toMatchObject({ status: 0, stdout: "No calls were counted yet.\n" });
});

test.each([["health"], ["settings"], ["report"], ["rules"]])("pi-mend %s runs", (...words) => {
  const run = strict(at("../dist/cli.js"), ...words);
  expect(run).toMatchObject({ status: 0, stderr: "" });
});
