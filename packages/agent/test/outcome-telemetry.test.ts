// Outcome events on the host's telemetry: counters and events as pi-telemetry's own context records them.
import { InMemoryTelemetryContext, type TelemetrySpan } from "@earendil-works/pi-telemetry";
import { describe, expect, it } from "vitest";
import { MEND_TELEMETRY_SCHEMA, runAgentLoop, type ToolRepairOptions, telemetrySink } from "../src/index.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const TURNS = [
  turn(["look", { path: "a", depth: "CANARY" }, "c1"], ["look", { path: "b", depth: "2" }, "c2"]),
  turn(["look", { path: "c" }, "c3"]),
];

async function play(config: { telemetry?: TelemetrySpan; toolRepair?: ToolRepairOptions }) {
  await fauxRun(runAgentLoop, { turns: TURNS, tools: [recordingTool("look")], config });
}

const origin = { provider: "faux", model: "faux-1", tool: "look" };

function expectCounters(context: InMemoryTelemetryContext) {
  const counted = context
    .getMetrics()
    .map(({ name, kind, value, attributes }) => ({ name, kind, value, ...attributes }));
  const calls = counted.filter(({ name }) => name === "pi.mend.calls");
  expect(calls).toEqual([
    {
      name: "pi.mend.calls",
      kind: "counter",
      value: 1,
      ...origin,
      outcome: "bounced",
      taught: "none",
      executed: "not-run",
    },
    {
      name: "pi.mend.calls",
      kind: "counter",
      value: 1,
      ...origin,
      outcome: "repaired",
      taught: "note",
      executed: "ok",
    },
    { name: "pi.mend.calls", kind: "counter", value: 1, ...origin, outcome: "clean", taught: "none", executed: "ok" },
  ]);
  const modes = counted.filter(({ name }) => name === "pi.mend.modes");
  expect(modes).toMatchObject([{ outcome: "bounced" }, { outcome: "repaired", mode: "numberFromString" }]);
}

describe("the telemetry sink", () => {
  it("counts and tells on the span that the loop was given", async () => {
    const context = new InMemoryTelemetryContext();
    await context.startSpan({ name: "host.run" }, (telemetry) => play({ telemetry }));
    expectCounters(context);
    const [span] = context.getSpans().filter(({ name }) => name === "host.run");
    const events = span?.events.filter(({ name }) => name === "pi.mend.outcome") ?? [];
    expect(events.map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({ ...origin, api: "faux", outcome: "bounced", executed: "not-run", forgiven: [] }),
      expect.objectContaining({ outcome: "repaired", modes: ["numberFromString"], taught: "note" }),
      expect.objectContaining({ outcome: "clean", modes: [], shape: '{"sent":{"path":"string"},"at":[]}' }),
    ]);
    expect(JSON.stringify([context.getSpans(), context.getMetrics()])).not.toContain("CANARY");
  });

  it("opens spans of its own where the context is none, and takes precedence over the loop's span", async () => {
    const own = new InMemoryTelemetryContext();
    const other = new InMemoryTelemetryContext();
    await other.startSpan({ name: "host.run" }, (telemetry) => play({ telemetry, toolRepair: { telemetry: own } }));
    expectCounters(own);
    expect(own.getSpans().map(({ name, events, status }) => [name, events.length, status.status])).toEqual(
      Array.from({ length: 3 }, () => ["pi.mend.call", 1, "ok"]),
    );
    expect(other.getMetrics().filter(({ name }) => name.startsWith("pi.mend"))).toEqual([]);
  });

  it("counts escalations", () => {
    const context = new InMemoryTelemetryContext();
    const shape = { sent: "text", at: [] };
    const event = {
      ...origin,
      api: "faux",
      outcome: "escalation",
      modes: ["type"],
      failures: 3,
      strongerModel: false,
      shape,
    } as const;
    telemetrySink(context)(event);
    expect(context.getMetrics()).toMatchObject([{ name: "pi.mend.escalations", value: 1, attributes: origin }]);
    expect(context.getSpans()[0]?.events[0]?.attributes).toMatchObject({ outcome: "escalation", failures: 3 });
  });

  it("works on a context without metrics", async () => {
    const spans: string[] = [];
    const bare = {
      startSpan: async (options: { name: string }, run: (span: never) => unknown) => {
        spans.push(options.name);
        return run({ addEvent: () => {} } as never) as never;
      },
    };
    await play({ toolRepair: { telemetry: bare } });
    expect(spans).toHaveLength(3);
  });

  it("records only what its schema declares", async () => {
    const context = new InMemoryTelemetryContext();
    await context.startSpan({ name: "host.run" }, (telemetry) => play({ telemetry }));
    const declared = MEND_TELEMETRY_SCHEMA.spans["pi.mend.call"].events["pi.mend.outcome"].attributes;
    for (const { attributes } of context.getSpans()[0]?.events ?? []) {
      expect(Object.keys(declared)).toEqual(expect.arrayContaining(Object.keys(attributes)));
    }
    for (const { name, attributes } of context.getMetrics()) {
      const metric = Object.entries(MEND_TELEMETRY_SCHEMA.metrics).find(([known]) => known === name)?.[1];
      expect(Object.keys(attributes).sort()).toEqual(Object.keys(metric?.attributes ?? {}).sort());
    }
  });
});
