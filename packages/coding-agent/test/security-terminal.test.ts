// Names that a model, a file or a folder made up: whatever reaches a terminal through pi-mend cannot drive it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareToolCall } from "@pi-mend/agent/door";
import { TeachNotes } from "@pi-mend/agent/teach-note";
import { repairToolArguments } from "@pi-mend/ai/tool-repair";
import { expect, test } from "vitest";
import { runCommand } from "../src/cli/run-command.ts";
import { memoryPaths } from "../src/memory/memory-paths.ts";
import { lastRepair, lastRepairText } from "../src/tui/last-repair.ts";
import { mendedIn } from "../src/tui/mended-calls.ts";
import { tempFolder } from "./memory/support/temp-folder.ts";

const HOSTILE = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\u2028\u0000\r";
const UNSAFE = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const parameters = { type: "object", properties: { limit: { type: "integer" } }, additionalProperties: false };
const tools = new Map([["list", { name: "list", parameters }]]);
const call = (name: string, args: object) =>
  ({ type: "toolCall", id: "c", name, arguments: args }) as Parameters<typeof prepareToolCall>[0];

function safe(text: string | undefined): void {
  expect(text).toBeTypeOf("string");
  expect(text).not.toBe("");
  expect(UNSAFE.exec(text!)?.[0]).toBeUndefined();
}

test.each<[string, ReturnType<typeof call>]>([
  ["a tool's name", call(`read${HOSTILE}`, {})],
  ["a key", call("list", { [HOSTILE]: 1 })],
  ["a key in a key", call("list", { limit: { [HOSTILE]: { [HOSTILE]: 1 } } })],
  ["a value", call("list", { limit: HOSTILE })],
])("a bounce about %s", (_, block) => {
  const prepared = prepareToolCall(block, tools, {});
  expect(prepared.outcome).toBe("bounced");
  if (prepared.outcome === "bounced") safe(prepared.message);
});

test("the line behind a result", () => {
  const open = { name: "list", parameters: { ...parameters, additionalProperties: true } };
  const result = repairToolArguments(open, { limit: "5", [HOSTILE]: HOSTILE });
  expect(result.outcome).toBe("repaired");
  if (result.outcome !== "repaired") return;
  for (const { note } of result.repairs) safe(note);
  const note = new TeachNotes().noteFor("list", result.repairs, result.args);
  safe(note);
  expect(note).toContain("\\u009b");
});

test("the last repair, when asked for", () => {
  const repair = { names: ["aliasRename", HOSTILE], original: { [HOSTILE]: HOSTILE } };
  const message = { role: "assistant", model: HOSTILE, content: [{ ...call(`list${HOSTILE}`, { limit: 5 }), repair }] };
  expect(mendedIn(message)).toHaveLength(1);
  safe(lastRepairText(lastRepair([message])!, tools));
});

test.each([
  ["health"],
  ["rules"],
  ["health", "--json"],
  ["health", "nobody"],
  ["settings"],
  ["settings", "--json"],
  [`${HOSTILE}`],
])("the command %s over hostile files in a hostile folder", async (...words) => {
  const folder = join(tempFolder(), "a\u001b[2J\u202eb");
  const env = { PI_CODING_AGENT_DIR: folder, PATH: "" };
  const paths = memoryPaths(env, folder);
  const record = {
    v: 1,
    at: 1,
    session: "s",
    host: "pi",
    provider: HOSTILE,
    model: HOSTILE,
    api: "x",
    kind: "call",
    call: 1,
  };
  const made = { tool: HOSTILE, outcome: "repaired", modes: [HOSTILE], forgiven: [], taught: "none", executed: "ok" };
  mkdirSync(dirname(paths.telemetry), { recursive: true });
  writeFileSync(paths.telemetry, `${JSON.stringify({ ...record, ...made })}\n`);
  writeFileSync(paths.settings, JSON.stringify({ [HOSTILE]: HOSTILE, profile: HOSTILE }));
  writeFileSync(paths.adaptation, HOSTILE);
  let said = "";
  const add = (text: string) => {
    said += text;
  };
  await runCommand(words, { env, cwd: folder, now: () => 2, trusted: true, write: add, warn: add });
  safe(said);
});
