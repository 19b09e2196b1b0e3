// pi-telemetry's context on top of the official OpenTelemetry SDK, as a host would write it: every span, event and counter
// goes where the SDK's providers send it. For tests only; links and propagation are left out.
import type {
  SpanAttributes,
  SpanOptions,
  TelemetryContext,
  TelemetryMetrics,
  TelemetrySpan,
} from "@earendil-works/pi-telemetry";
import {
  type Attributes,
  context as active,
  type Context,
  type Meter,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { otelMetrics } from "../../examples/outcome-counters.ts";

/** A context whose root spans start at `tracer`. */
export function otelContext(tracer: Tracer, meter: Meter, parent: Context = active.active()): TelemetryContext {
  const metrics = otelMetrics(meter);
  return { metrics, startSpan: (options, run) => started(tracer, metrics, parent, options, run) };
}

async function started<T>(
  tracer: Tracer,
  metrics: TelemetryMetrics,
  parent: Context,
  { name, attributes }: SpanOptions,
  run: (span: TelemetrySpan) => T | Promise<T>,
): Promise<T> {
  const own = tracer.startSpan(name, { attributes: known(attributes) }, parent);
  const inside = trace.setSpan(parent, own);
  const span: TelemetrySpan = {
    metrics,
    startSpan: (options, callback) => started(tracer, metrics, inside, options, callback),
    addLink: () => {},
    addEvent: (event, values) => void own.addEvent(event, known(values)),
    setAttributes: (values) => void own.setAttributes(known(values)),
    setStatus: ({ status }) => void own.setStatus({ code: status === "ok" ? SpanStatusCode.OK : SpanStatusCode.ERROR }),
  };
  try {
    return await run(span);
  } finally {
    own.end();
  }
}

function known(attributes: SpanAttributes | undefined): Attributes {
  const entries = Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? [...value] : value]),
  ) as Attributes;
}
