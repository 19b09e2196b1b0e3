// The published schema of outcome events holds for the events of runs, and declares the fields that their type has.
import { readFileSync } from "node:fs";
import { compile } from "@earendil-works/pi-schema";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type CallOutcome, type EscalationOutcome, type OutcomeEvent, runAgentLoop } from "../src/index.ts";
import type { StoredCallOutcome, StoredEscalationOutcome } from "../src/outcome.schema.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const PAGE = new URL("../../../docs/schemas/outcome-event.json", import.meta.url);
const published = compile(JSON.parse(readFileSync(PAGE, "utf8")));

/** Lists of an event are read-only; the shape is one recursive type on both sides. */
type Frozen<T> = { readonly [Key in keyof T]: T[Key] extends string[] ? readonly string[] : T[Key] };

describe("the published schema of outcome events", () => {
  it("takes every event of a run, as JSON", async () => {
    const events: OutcomeEvent[] = [];
    const wrong = turn(["look", { path: "a", depth: { deep: [1, { x: null }] } }]);
    await fauxRun(runAgentLoop, {
      turns: [turn(["look", { path: "a" }], ["look", { path: "a", depth: "2" }], ["nope", {}]), wrong, wrong, wrong],
      tools: [recordingTool("look")],
      config: { toolRepair: { onOutcome: (event) => void events.push(event) } },
    });
    const seen = new Set(events.map(({ outcome }) => outcome));
    expect([...seen].sort()).toEqual(["bounced", "clean", "escalation", "refused", "repaired"]);
    for (const event of events) expect(published.errors(JSON.parse(JSON.stringify(event)))).toEqual([]);
  });

  it("takes no event that lacks a field or has a word of its own", async () => {
    const events: OutcomeEvent[] = [];
    await fauxRun(runAgentLoop, {
      turns: [turn(["look", { path: "a" }])],
      tools: [recordingTool("look")],
      config: { toolRepair: { onOutcome: (event) => void events.push(event) } },
    });
    const [event] = events;
    for (const key of Object.keys(event ?? {})) {
      expect(published.check(Object.fromEntries(Object.entries(event ?? {}).filter(([name]) => name !== key)))).toBe(
        false,
      );
    }
    expect(published.check({ ...event, outcome: "other" })).toBe(false);
    expect(published.check({ ...event, shape: { sent: 1, at: [] } })).toBe(false);
  });

  it("declares the fields of the type", () => {
    expectTypeOf<keyof StoredCallOutcome>().toEqualTypeOf<keyof CallOutcome>();
    expectTypeOf<keyof StoredEscalationOutcome>().toEqualTypeOf<keyof EscalationOutcome>();
    expectTypeOf<CallOutcome>().toExtend<Frozen<Omit<StoredCallOutcome, "shape">>>();
    expectTypeOf<EscalationOutcome>().toExtend<Frozen<Omit<StoredEscalationOutcome, "shape">>>();
    expectTypeOf<keyof StoredCallOutcome["shape"]>().toEqualTypeOf<keyof CallOutcome["shape"]>();
    expectTypeOf<StoredCallOutcome["outcome"]>().toEqualTypeOf<CallOutcome["outcome"]>();
    expectTypeOf<StoredCallOutcome["executed"]>().toEqualTypeOf<CallOutcome["executed"]>();
    expectTypeOf<StoredCallOutcome["taught"]>().toEqualTypeOf<CallOutcome["taught"]>();
  });
});
