// Telemetry records of one machine over a few months, from a seed: several models and sessions, made by the counter that pi's
// sessions use.
import type { CallEvent } from "../../../src/memory/outcome-event.ts";
import { CallCounter } from "../../../src/memory/telemetry/call-counter.ts";
import type { TelemetryRecord } from "../../../src/memory/telemetry/telemetry.schema.ts";

const SEEDED = new URL("../../../../../scripts/replay-corpus/seeded.mjs", import.meta.url);
const { seeded } = (await import(SEEDED.href)) as { seeded: (seed: number) => () => number };

export const NOW = Date.UTC(2026, 8, 1);
const DAY = 86_400_000;
const MODELS = ["weak-7b", "weak-14b", "other/large", "quick:free"];
const REPAIRS = ["aliasRename", "numberFromString", "jsonStringParse", "nullOptionalDrop"];
const KEYWORDS = ["required", "type", "enum"];

export function fleetRecords(seed: number): readonly TelemetryRecord[] {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const records: TelemetryRecord[] = [];
  for (let number = 0; number < 120; number++) {
    let at = NOW - Math.floor(random() * 110) * DAY - 1;
    const session = `s${seed}-${number}`;
    const counter = new CallCounter({ session, host: "pi", now: () => at, isTool: () => true });
    const used = [pick(MODELS), pick(MODELS)];
    for (let call = 0; call < 80; call++) {
      if (at < NOW - 60_000) at += Math.floor(random() * 60_000);
      const origin = { provider: "local", model: pick(used), api: "openai-completions" };
      const drawn = random();
      if (drawn < 0.01) counter.leak({ ...origin, action: "stripped", families: ["json-tag"], refused: [] });
      else if (drawn < 0.02) {
        const outcome = "escalation" as const;
        counter.count({ ...origin, tool: "read", outcome, modes: ["enum"], failures: 3, strongerModel: false });
      } else counter.count({ ...origin, ...drawnCall(random, pick) });
      if (random() < 0.1) records.push(...counter.take());
    }
    records.push(...counter.take());
  }
  return records;
}

function drawnCall(random: () => number, pick: <T>(list: readonly T[]) => T) {
  const tool = pick(["read", "edit", "bash"]);
  const base = { tool, modes: [] as readonly string[], forgiven: [], taught: "none" as const };
  const drawn = random();
  if (drawn < 0.3) return { ...base, outcome: "clean" as const, executed: pick(["ok", "ok", "error"] as const) };
  if (drawn < 0.45)
    return { ...base, outcome: "bounced" as const, modes: [pick(KEYWORDS)], executed: "not-run" as const };
  if (drawn < 0.5) return { ...base, outcome: "refused" as const, modes: ["truncated"], executed: "not-run" as const };
  const taught: CallEvent["taught"] = pick(["none", "none", "note", "rule"]);
  const modes = [pick(REPAIRS), pick(REPAIRS)];
  return {
    ...base,
    outcome: "repaired" as const,
    modes,
    taught,
    executed: pick(["ok", "ok", "error", "not-run"] as const),
  };
}
