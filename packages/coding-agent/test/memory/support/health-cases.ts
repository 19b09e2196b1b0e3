// Records and memories that health is computed from in tests: a weak model over three weeks, and one that notes do not reach.
import { emptyMemory, learn } from "../../../src/memory/adaptation/learn.ts";
import type { TelemetryRecord } from "../../../src/memory/telemetry/telemetry.schema.ts";

export const NOW = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;

const who = (session: string, model: string, daysAgo: number) => {
  const origin = { host: "pi", provider: "local", model, api: "openai-completions" };
  return { v: 1 as const, at: NOW - daysAgo * DAY, session, ...origin };
};

type Call = Extract<TelemetryRecord, { kind: "call" }>;

function call(session: string, model: string, daysAgo: number, number: number, more: Partial<Call>): Call {
  const sent = { kind: "call", tool: "read", outcome: "repaired", taught: "none", executed: "ok" } as const;
  return { ...who(session, model, daysAgo), call: number, ...sent, modes: ["aliasRename"], forgiven: [], ...more };
}

function clean(session: string, model: string, daysAgo: number, last: number, calls: number): TelemetryRecord {
  return { ...who(session, model, daysAgo), kind: "clean", call: last, calls, errors: 0, tools: { read: calls } };
}

const weak = "weak-7b";
const records: TelemetryRecord[] = [
  // 18 calls, two weeks ago: the first note at the third call, the second at the tenth.
  call("one", weak, 15, 3, { taught: "note" }),
  call("one", weak, 15, 5, {}),
  call("one", weak, 15, 10, { modes: ["aliasRename", "numberFromString"], taught: "note", executed: "error" }),
  call("one", weak, 15, 12, { outcome: "bounced", modes: ["required"], executed: "not-run" }),
  clean("one", weak, 15, 18, 14),
  // 22 calls, this week: the note at the fourth call.
  call("two", weak, 1, 4, { taught: "note" }),
  call("two", weak, 1, 9, { executed: "not-run" }),
  call("two", weak, 1, 11, { outcome: "bounced", modes: ["enum"], executed: "not-run" }),
  call("two", weak, 1, 12, { outcome: "refused", modes: ["truncated"], executed: "not-run" }),
  { ...who("two", weak, 1), kind: "escalation", tool: "read", modes: ["enum"], failures: 3, strongerModel: false },
  call("two", weak, 1, 15, {}),
  call("two", weak, 1, 16, { modes: ["numberFromString"] }),
  clean("two", weak, 1, 22, 16),
  // A model that does the same thing in every call, whatever it is told.
  ...Array.from({ length: 12 }, (_, index) =>
    call("three", "stubborn", 2, index + 1, { modes: ["boolFromString"], taught: index === 0 ? "note" : "none" }),
  ),
];

const taught = learn(
  emptyMemory(),
  { session: "one", calls: 9, firings: new Map([["aliasRename", 3]]) },
  NOW - 15 * DAY,
);
const later = learn(taught, { session: "two", calls: 20, firings: new Map() }, NOW - DAY);

export const CASES = { records, memories: new Map([["local/weak-7b", later]]) };
