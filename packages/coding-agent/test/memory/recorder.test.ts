import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failureLog } from "../../src/memory/failures/failure-records.ts";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import type { CallEvent } from "../../src/memory/outcome-event.ts";
import { Recorder, type RecorderOptions } from "../../src/memory/recorder.ts";
import { modelKey, safeId } from "../../src/memory/safe-name.ts";
import { telemetryLog } from "../../src/memory/telemetry/telemetry-log.ts";
import { tempFolder } from "./support/temp-folder.ts";

const NOW = Date.UTC(2026, 0, 1);
const ON = { telemetry: true, failureRecords: true, rules: true, log: false };
const TOOL = { name: "read", parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } };
const BOUNCE = { tool: TOOL, sent: { n: "x" }, prepared: { outcome: "bounced" } };

function event(outcome: CallEvent["outcome"], more: Partial<CallEvent> = {}): CallEvent {
  const modes = outcome === "repaired" ? ["numberFromString"] : outcome === "bounced" ? ["type"] : [];
  const origin = { model: "m", provider: "p", api: "openai-completions", tool: "read", modes, forgiven: [] };
  return { ...origin, outcome, taught: "none", executed: outcome === "bounced" ? "not-run" : "ok", ...more };
}

function recorder(options: Partial<RecorderOptions> = {}) {
  const folder = tempFolder();
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: folder }, folder);
  const made = new Recorder({
    ...{ paths, session: "s1", host: "pi", now: () => NOW, isTool: () => true, switches: () => ON },
    ...options,
  });
  const records = () => telemetryLog(paths.telemetry).read(NOW).records;
  return { made, paths, records };
}

test("a line for each call that was not clean, one for a batch of clean ones, in the order of the calls", async () => {
  const { made, records } = recorder();
  for (const outcome of ["clean", "clean", "repaired", "clean", "bounced"] as const) made.record(event(outcome));
  made.record(event("clean", { executed: "error", tool: "bash" }));
  await made.flush();
  await made.flush();
  expect(records()).toMatchObject([
    { kind: "call", call: 3, outcome: "repaired", modes: ["numberFromString"], executed: "ok" },
    { kind: "call", call: 5, outcome: "bounced", modes: ["type"], executed: "not-run" },
    { kind: "clean", call: 6, calls: 4, errors: 1, tools: { read: 3, bash: 1 } },
  ]);
  made.record(event("clean"));
  await made.flush();
  expect(records().at(-1)).toMatchObject({ kind: "clean", call: 7, calls: 1 });
});

test("calls that tools made are a batch of their own, under names of tools only", async () => {
  const { made, records } = recorder({ isTool: (name) => name !== "not a tool" });
  const origin = { model: "m", provider: "p", api: "openai-completions" };
  const calls = [
    { name: "read", status: "ok" },
    { name: "read", status: "error" },
    { name: "not a tool", status: "unfinished" },
  ];
  made.record(event("clean"));
  made.recordNested({ ...origin, calls });
  await made.flush();
  made.recordNested({ ...origin, calls: [{ name: "bash", status: "ok" }] });
  await made.flush();
  expect(records()).toMatchObject([
    { kind: "clean", call: 1, calls: 1 },
    { kind: "nested", calls: 3, errors: 2, tools: { read: 2, "(unknown)": 1 } },
    { kind: "nested", calls: 1, errors: 0, tools: { bash: 1 } },
  ]);
});

test("nothing is on disk before it is asked for, or before many records wait", async () => {
  const { made, paths, records } = recorder();
  for (let n = 0; n < 63; n++) made.record(event("repaired"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(existsSync(paths.telemetry)).toBe(false);
  made.record(event("repaired"));
  await made.flush();
  expect(records()).toHaveLength(64);
});

describe("each switch turns off its own file only", () => {
  test.each([
    ["telemetry", "telemetry"],
    ["failureRecords", "failures"],
    ["rules", "adaptation"],
  ] as const)("%s", async (name, file) => {
    const { made, paths } = recorder({ switches: () => ({ ...ON, [name]: false }) });
    for (let n = 0; n < 3; n++) made.record(event("repaired"));
    made.record(event("bounced"), BOUNCE);
    await made.flush();
    const there = (["telemetry", "failures", "adaptation"] as const).filter((one) => existsSync(paths[one]));
    expect(there).toEqual((["telemetry", "failures", "adaptation"] as const).filter((one) => one !== file));
  });
});

test("a switch counts from the moment it is changed", async () => {
  let telemetry = true;
  const { made, paths, records } = recorder({ switches: () => ({ ...ON, telemetry }) });
  made.record(event("repaired"));
  telemetry = false;
  await made.flush();
  expect(existsSync(paths.telemetry)).toBe(false);
  telemetry = true;
  made.record(event("repaired"));
  await made.flush();
  expect(records()).toHaveLength(1);
});

test("three repairs in a session make a rule; clean calls of other models cost no file", async () => {
  const { made, paths } = recorder();
  for (let n = 0; n < 5; n++) made.record(event("clean", { model: "good" }));
  await made.flush();
  expect(existsSync(paths.adaptation)).toBe(false);
  for (let n = 0; n < 3; n++) {
    made.record(event("repaired"));
    await made.flush();
  }
  expect(made.adaptation.rules("p/m").map((rule) => rule.mode)).toEqual(["numberFromString"]);
  made.record(event("clean"));
  await made.flush();
  expect(made.adaptation.rules("p/m")[0]?.after).toEqual({ calls: 1, firings: 0 });
  expect(Object.keys(JSON.parse(readFileSync(paths.adaptation, "utf8")).hosts.pi)).toEqual(["p/m"]);
});

test("PI_MEND_LOG prints a line for each call that was not clean", () => {
  const lines: string[] = [];
  const { made } = recorder({
    switches: () => ({ ...ON, telemetry: false, log: true }),
    print: (line) => void lines.push(line),
  });
  made.record(event("clean"));
  made.record(event("repaired", { taught: "note" }));
  made.record(event("bounced", { tool: "no such tool" }));
  expect(lines).toEqual([
    "pi-mend repaired p/m read numberFromString taught=note executed=ok",
    "pi-mend bounced p/m unknown tool type taught=none executed=not-run",
  ]);
});

test("a place that takes no writes costs the records and nothing else, and is left alone for a while", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  let now = NOW;
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: join(folder, "file") }, folder);
  const { made } = recorder({ paths, now: () => now });
  made.record(event("repaired"));
  made.record(event("bounced"), BOUNCE);
  await made.flush();
  const elsewhere = memoryPaths({ PI_CODING_AGENT_DIR: folder }, folder);
  Object.assign(paths, elsewhere);
  made.record(event("repaired"));
  await made.flush();
  expect(existsSync(elsewhere.telemetry)).toBe(false);
  now += 60_000;
  made.record(event("repaired"));
  await made.flush();
  expect(telemetryLog(elsewhere.telemetry).read(now).records).toHaveLength(1);
});

test("a file that takes no writes costs its own records only", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "file"), "");
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: folder, PI_MEND_TELEMETRY: "file/x.jsonl" }, folder);
  const { made } = recorder({ paths });
  for (let n = 0; n < 3; n++) {
    made.record(event("repaired"));
    made.record(event("bounced"), BOUNCE);
    await made.flush();
  }
  expect(made.adaptation.rules("p/m")).toMatchObject([{ mode: "numberFromString" }]);
  expect(failureLog(paths.failures).read(NOW).records).toHaveLength(3);
});

test("an adaptation.json of a later version is left alone, said once, and costs no record", async () => {
  const warnings: string[] = [];
  const { made, paths, records } = recorder({ warn: (warning) => void warnings.push(warning) });
  mkdirSync(paths.folder);
  writeFileSync(paths.adaptation, '{"version":2}');
  for (let n = 0; n < 3; n++) {
    expect(made.adaptation.rules("p/m")).toEqual([]);
    made.record(event("repaired"));
    await made.flush();
  }
  expect(records()).toHaveLength(3);
  expect(readFileSync(paths.adaptation, "utf8")).toBe('{"version":2}');
  expect(warnings).toEqual([expect.stringContaining("later pi-mend")]);
});

test("models whose ids are no ids learn apart, and none of their ids is written", async () => {
  const { made, paths, records } = recorder();
  const odd = ["My model (local)", "C:\\models\\other.gguf", "漢字"];
  for (const model of odd) made.record(event("repaired", { model, provider: "LM Studio" }));
  for (let n = 0; n < 2; n++) made.record(event("repaired", { model: odd[1]!, provider: "LM Studio" }));
  await made.flush();
  const ruled = odd.map((model) => made.adaptation.rules(modelKey("LM Studio", model)).length);
  expect(ruled).toEqual([0, 1, 0]);
  expect(new Set(records().map(({ provider }) => provider)).size).toBe(1);
  expect(records().map(({ model }) => model)).toEqual([...odd, odd[1], odd[1]].map((model) => safeId(model)));
  const text = readFileSync(paths.telemetry, "utf8") + readFileSync(paths.adaptation, "utf8");
  expect(text).not.toMatch(/My model|gguf|漢|Studio/);
});

test("an event that makes no sense is ignored", async () => {
  const { made, records } = recorder();
  made.record(undefined as unknown as CallEvent);
  made.record({} as CallEvent);
  made.record(event("repaired"));
  await made.flush();
  expect(records().filter((record) => record.kind === "call" && record.outcome === "repaired")).toHaveLength(1);
});
