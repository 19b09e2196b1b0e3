// Outcome counters at an OpenTelemetry collector: pi-telemetry's instruments on the official SDK.
import { NOOP_TELEMETRY_CONTEXT, type TelemetryContext, type TelemetryMetrics } from "@earendil-works/pi-telemetry";
import type { Attributes, Meter } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { detectResources, envDetector } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";

/** Counts at the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; `close` sends what is left. */
export function outcomeCounters(): { telemetry: TelemetryContext; close: () => Promise<void> } {
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
  const meters = new MeterProvider({ readers: [reader], resource: detectResources({ detectors: [envDetector] }) });
  const metrics = otelMetrics(meters.getMeter("pi-mend"));
  return { telemetry: { ...NOOP_TELEMETRY_CONTEXT, metrics }, close: () => meters.shutdown() };
}

export function otelMetrics(meter: Meter): TelemetryMetrics {
  return {
    counter: (name, options) => {
      const counter = meter.createCounter(name, options);
      return { add: (value, attributes) => counter.add(value, attributes as Attributes) };
    },
    upDownCounter: (name, options) => {
      const counter = meter.createUpDownCounter(name, options);
      return { add: (value, attributes) => counter.add(value, attributes as Attributes) };
    },
    histogram: (name, options) => {
      const histogram = meter.createHistogram(name, options);
      return { record: (value, attributes) => histogram.record(value, attributes as Attributes) };
    },
  };
}
