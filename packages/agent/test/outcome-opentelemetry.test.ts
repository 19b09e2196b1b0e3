// Outcome events through the official OpenTelemetry SDK to a collector: what the OTLP exporters put on the wire, read by a
// stub on the loopback.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAgentLoop } from "../src/index.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { otelContext } from "./support/otel-context.ts";
import { recordingTool } from "./support/tools.ts";

interface OtlpAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly arrayValue?: { readonly values?: readonly { readonly stringValue: string }[] };
  };
}

interface ExportedSpan {
  readonly events: readonly { readonly name: string; readonly attributes: readonly OtlpAttribute[] }[];
}

interface ExportedMetric {
  readonly name: string;
  readonly sum: {
    readonly dataPoints: readonly { readonly attributes: readonly OtlpAttribute[]; asDouble?: number }[];
  };
}

const bodies = new Map<string, unknown[]>();
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const path = request.url ?? "";
    bodies.set(path, [...(bodies.get(path) ?? []), JSON.parse(Buffer.concat(chunks).toString("utf8"))]);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

function plain(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.arrayValue?.values?.map((item) => item.stringValue) ?? [],
    ]),
  );
}

/** Every object with this key, anywhere in the bodies that came in under a path. */
function under(path: string, key: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (key in value) found.push(value as Record<string, unknown>);
    for (const item of Object.values(value)) walk(item);
  };
  walk(bodies.get(path));
  return found;
}

/** The values of a counter by one of its attributes. */
function counted(counter: string, attribute: string): unknown[] {
  const metrics = under("/v1/metrics", "sum") as unknown as ExportedMetric[];
  const points = metrics.filter(({ name }) => name === counter).flatMap(({ sum }) => sum.dataPoints);
  return points.map(({ attributes, asDouble }) => [plain(attributes)[attribute], asDouble]).sort();
}

describe("an OpenTelemetry adapter", () => {
  it("exports counters and span events to a collector", async () => {
    const traces = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
    });
    const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
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

    const [span] = under("/v1/traces", "spanId") as unknown as ExportedSpan[];
    expect(span).toMatchObject({ name: "host.run" });
    const events = span?.events.filter(({ name }) => name === "pi.mend.outcome") ?? [];
    expect(events.map(({ attributes }) => plain(attributes))).toMatchObject([
      { tool: "look", outcome: "bounced", executed: "not-run" },
      { tool: "look", outcome: "repaired", modes: ["numberFromString"], taught: "note", executed: "ok" },
      { tool: "look", outcome: "clean", modes: [], taught: "none", executed: "ok" },
    ]);

    expect(counted("pi.mend.calls", "outcome")).toEqual([
      ["bounced", 1],
      ["clean", 1],
      ["repaired", 1],
    ]);
    expect(counted("pi.mend.modes", "mode")).toEqual([
      ["numberFromString", 1],
      ["type", 1],
    ]);
    expect(JSON.stringify([...bodies.values()])).not.toContain("CANARY");
  });
});
