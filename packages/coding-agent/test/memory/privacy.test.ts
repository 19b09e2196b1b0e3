// Secrets in every place of a call that a model can write to, through the real repair step and journal, then looked for in
// every file and every line of output.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CallJournal, prepareToolCall, RepairSession } from "@pi-mend/agent/door";
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { expect, test } from "vitest";
import { healthTable } from "../../src/memory/health/health-table.ts";
import { readHealth } from "../../src/memory/health/read-health.ts";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import type { CallEvent, MemoryEvent } from "../../src/memory/outcome-event.ts";
import { Recorder } from "../../src/memory/recorder.ts";
import { reportPage } from "../../src/memory/report/report-page.ts";
import { tempFolder } from "./support/temp-folder.ts";

const CANARY = /c[a4]n[a4]ry|s3cr3t|hunter2|AKIA|\/home\/|passw/i;
const SECRETS = [
  "canarySecret",
  "/home/canary/.ssh/id",
  "rm -rf /home/canary",
  "AKIA0123456789",
  "hunter2!",
  "s3cr3t\nline",
];

const TOOLS: readonly RepairTool[] = [
  {
    name: "write",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "canary in prose" },
        mode: { type: "string", enum: ["append", "replace"] },
        size: { type: "integer", maximum: 100 },
        items: { type: "array", items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
      },
      required: ["path"],
      additionalProperties: false,
    },
    hints: { aliases: { path: ["file_path"] } },
  },
];

/** Calls with a secret as value, key, nested, quoted, as JSON in text, as broken text, as name. */
function callsWith(secret: string): { name: string; arguments: unknown; argumentsError?: string }[] {
  const broken = `{"path":"${secret}`;
  return [
    { name: "write", arguments: { path: secret } },
    { name: "write", arguments: { file_path: secret } },
    { name: "write", arguments: { path: null, mode: secret } },
    { name: "write", arguments: { path: 1, [secret]: secret } },
    { name: "write", arguments: { path: "a", mode: secret, size: secret } },
    { name: "write", arguments: { path: "a", items: [{ [secret]: 1 }, secret, { id: secret }] } },
    { name: "write", arguments: { path: { [secret]: { deep: secret } } } },
    { name: "write", arguments: { path: "a", items: JSON.stringify([{ id: 1, [secret]: secret }, secret]) } },
    { name: "write", arguments: { path: "a", items: `[{"id": "${secret}` } },
    { name: "write", arguments: {}, argumentsError: `Unexpected token\n\nReceived arguments:\n${broken}` },
    { name: "write", arguments: {}, argumentsError: `bad ${secret}` },
    { name: secret, arguments: { path: secret } },
    { name: `write_${secret}`, arguments: { path: secret } },
  ];
}

test("no file and no line holds anything that a model wrote", async () => {
  const folder = tempFolder();
  const env = { PI_CODING_AGENT_DIR: folder };
  const paths = memoryPaths(env, folder);
  const lines: string[] = [];
  const recorder = new Recorder({
    paths,
    session: "session-1",
    host: "pi",
    now: () => Date.UTC(2026, 0, 1),
    isTool: (name) => TOOLS.some((tool) => tool.name === name),
    switches: () => ({ telemetry: true, failureRecords: true, rules: true, log: true }),
    print: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
  });
  const lookup = new Map(TOOLS.map((tool) => [tool.name, tool]));
  const origin = { model: "weak-7b", provider: "local", api: "openai-completions" };
  const events: MemoryEvent[] = [];
  const journal = new CallJournal(new RepairSession(), { sinks: [(event) => void events.push(event)] });
  let id = 0;
  for (const secret of SECRETS) {
    for (const sent of callsWith(secret)) {
      const block = { type: "toolCall", id: `call_${++id}`, ...sent } as Parameters<typeof prepareToolCall>[0];
      const prepared = prepareToolCall(block, lookup, { model: origin.model });
      const tool = lookup.get(prepared.block.name);
      journal.record(block, prepared, tool, origin);
      const content = [{ type: "text", text: `Error: ${secret} not found` }];
      const args = prepared.block.arguments;
      journal.finish({ id: block.id, tool: prepared.block.name, args, content, isError: true, details: { secret } });
      const detail = { tool, sent: block.argumentsError === undefined ? sent.arguments : undefined, prepared };
      for (const event of events.splice(0)) recorder.record(event, detail);
    }
  }
  await recorder.flush();

  const files = readdirSync(paths.folder).sort();
  expect(files).toEqual(["adaptation.json", "failures.jsonl", "telemetry.jsonl"]);
  for (const file of files) {
    const text = readFileSync(join(paths.folder, file), "utf8");
    expect(text.length, file).toBeGreaterThan(100);
    expect(text, file).not.toMatch(CANARY);
  }
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.join("\n")).not.toMatch(CANARY);
  const { health } = readHealth(paths, Date.UTC(2026, 0, 2));
  expect(health.models[0]?.calls).toBe(id);
  expect(`${healthTable(health)}${reportPage(health)}`).not.toMatch(CANARY);
});

test("an event that carries anything else than names is stripped of it", async () => {
  const folder = tempFolder();
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: folder }, folder);
  const recorder = new Recorder({
    paths,
    session: "s",
    host: "pi",
    now: () => 1,
    isTool: (name) => name === "write",
    switches: () => ({ telemetry: true, failureRecords: true, rules: true, log: false }),
  });
  for (const secret of ["canarySecret", "canary secret", "/home/canary", '{"canary":1}']) {
    const event = {
      ...{ model: `m ${secret}`, provider: `p ${secret}`, api: `a ${secret}`, tool: secret },
      ...{ outcome: "repaired", modes: [secret], forgiven: [secret], taught: secret, executed: secret },
      ...{ shape: secret, error: secret, args: { secret } },
    };
    recorder.record(event as unknown as CallEvent);
    recorder.record({ ...event, outcome: "clean" } as unknown as CallEvent);
    recorder.record({
      ...event,
      outcome: "escalation",
      failures: secret,
      strongerModel: secret,
    } as unknown as MemoryEvent);
  }
  await recorder.flush();
  const text = readFileSync(paths.telemetry, "utf8");
  expect(text.trim().split("\n").length).toBeGreaterThan(4);
  expect(text).not.toMatch(CANARY);
  expect(readdirSync(paths.folder)).toEqual(["telemetry.jsonl"]);
});
