// Outcome events through the official OpenTelemetry SDK to a collector: what the OTLP exporters put on the wire, read by a
// stub on the loopback.
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAgentLoop } from "../src/index.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { otelContext } from "./support/otel-context.ts";
import { type ExportedSpan, type OtlpCollector, plain, startOtlpCollector } from "./support/otlp-collector.ts";
import { recordingTool } from "./support/tools.ts";

let collector: OtlpCollector;
beforeAll(async () => {
  collector = await startOtlpCollector();
});
afterAll(() => collector.close());

describe("an OpenTelemetry adapter", () => {
  it("exports counters and span events to a collector", async () => {
    const traces = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }))],
    });
    const exporter = new OTLPMetricExporter({ url: `${collector.url}/v1/metrics` });
    const meters = new MeterProvider({
      readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
    });
    const context = otelContext(traces.getTracer("test"), meters.getMeter("test"));
    const turns = [
      turn(["look", { path: "CANARY", depth: "2" }, "c1"], ["look", { path: "CANARY", depth: "CANARY" }, "c2"]),
      turn(["look", { path: "CANARY" }, "c3"]),
    ];
    await context.startSpan({ name: "host.run" }, (telemetry) =>
      fauxRun(runAgentLoop, { turns, tools: [recordingTool("look")], config: { telemetry } }),
    );
    // Shutting down exports what there is, once: counters are cumulative.
    await Promise.all([traces.shutdown(), meters.shutdown()]);

    const [span] = collector.under("/v1/traces", "spanId") as unknown as ExportedSpan[];
    expect(span).toMatchObject({ name: "host.run" });
    const events = span?.events.filter(({ name }) => name === "pi.mend.outcome") ?? [];
    expect(events.map(({ attributes }) => plain(attributes))).toMatchObject([
      { tool: "look", outcome: "bounced", executed: "not-run" },
      { tool: "look", outcome: "repaired", modes: ["numberFromString"], taught: "note", executed: "ok" },
      { tool: "look", outcome: "clean", modes: [], taught: "none", executed: "ok" },
    ]);

    expect(collector.counted("pi.mend.calls", "outcome")).toEqual([
      ["bounced", 1],
      ["clean", 1],
      ["repaired", 1],
    ]);
    expect(collector.counted("pi.mend.modes", "mode")).toEqual([
      ["numberFromString", 1],
      ["type", 1],
    ]);
    expect(collector.text()).not.toContain("CANARY");
  });
});
