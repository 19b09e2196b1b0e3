// Outcome events as pi-telemetry: typed counters, and one event on the host's span, so that whatever adapter the host runs
// exports them. Called once per event. Never records a value of a call.
import {
  createTypedMetrics,
  defineTelemetrySchema,
  type TelemetryContext,
  type TelemetryMetrics,
  type TelemetrySpan,
} from "@earendil-works/pi-telemetry";
import type { OutcomeEvent, OutcomeSink } from "./outcome.ts";
import type { LeakReport } from "./tool-repair-options.ts";

const word = (description: string) => ({ type: "string", description, required: true }) as const;
const outcome = {
  type: "string",
  description: "What became of the call.",
  values: ["clean", "repaired", "bounced", "refused", "escalation"],
  required: true,
} as const;
const taught = { type: "string", description: "What the model was told.", values: ["none", "note", "rule"] } as const;
const executed = { type: "string", description: "Whether it ran.", values: ["ok", "error", "not-run"] } as const;
const origin = { provider: word("Provider identifier."), model: word("Model identifier."), tool: word("Tool name.") };

/** Counters, and the event that stands on the host's span. */
export const MEND_TELEMETRY_SCHEMA = defineTelemetrySchema({
  version: 1,
  spans: {
    "pi.mend.call": {
      description: "Carries one outcome event where the host's context is no span.",
      parents: { kind: "any" },
      startAttributes: {},
      endAttributes: {},
      events: {
        "pi.mend.outcome": {
          description: "What became of one tool call.",
          attributes: {
            ...origin,
            api: word("API identifier."),
            outcome,
            modes: { type: "string[]", description: "Repairs made, or what failed.", required: true },
            forgiven: { type: "string[]", description: "What the lenient reader overlooked.", required: false },
            taught: { ...taught, required: false },
            executed: { ...executed, required: false },
            failures: { type: "number", description: "Identical failures in a row.", required: false },
            shape: { ...word("Types by schema position, as JSON."), cardinality: "high" },
          },
        },
      },
      status: { default: "ok", errorWhen: "Never: an outcome is no failure of the request." },
    },
  },
  metrics: {
    "pi.mend.calls": {
      kind: "counter",
      description: "Tool calls by outcome.",
      unit: "{call}",
      attributes: {
        ...origin,
        outcome,
        taught: { ...taught, required: true },
        executed: { ...executed, required: true },
      },
    },
    "pi.mend.modes": {
      kind: "counter",
      description: "Repairs, bounces and refusals by mode.",
      unit: "{call}",
      attributes: { ...origin, outcome, mode: word("Repair name, schema keyword or reason.") },
    },
    "pi.mend.escalations": {
      kind: "counter",
      description: "Tools that failed in the same way three times in a row.",
      unit: "{escalation}",
      attributes: origin,
    },
    "pi.mend.leaks": {
      kind: "counter",
      description: "Replies that printed tool calls as text, by grammar.",
      unit: "{reply}",
      attributes: {
        provider: origin.provider,
        model: origin.model,
        action: {
          type: "string",
          description: "What was done.",
          values: ["observed", "kept", "stripped", "recovered"],
          required: true,
        },
        family: word("Grammar of the calls."),
      },
    },
  },
});

const INSTRUMENTS = new WeakMap<TelemetryMetrics, ReturnType<typeof instrumentsOf>>();

function instrumentsOf(adapter: TelemetryMetrics) {
  const metrics = createTypedMetrics(adapter, [MEND_TELEMETRY_SCHEMA]);
  return {
    calls: metrics.counter("pi.mend.calls"),
    modes: metrics.counter("pi.mend.modes"),
    escalations: metrics.counter("pi.mend.escalations"),
    leaks: metrics.counter("pi.mend.leaks"),
  };
}

/** A sink that records on `context`: a span gets the event itself, any other context a span that carries it. */
export function telemetrySink(context: TelemetryContext): OutcomeSink {
  return (event) => {
    if (context.metrics !== undefined) count(context.metrics, event);
    const attributes = attributesOf(event);
    if (isSpan(context)) context.addEvent("pi.mend.outcome", attributes);
    else {
      void context
        .startSpan({ name: "pi.mend.call" }, (span) => span.addEvent("pi.mend.outcome", attributes))
        .catch(() => {});
    }
  };
}

/** Counts replies that printed calls, once for every grammar. */
export function leakCounter({ metrics }: TelemetryContext): (leak: LeakReport) => void {
  return ({ provider, model, action, families }) => {
    if (metrics === undefined) return;
    for (const family of families) instrumentsFor(metrics).leaks.add(1, { provider, model, action, family });
  };
}

function instrumentsFor(adapter: TelemetryMetrics) {
  let instruments = INSTRUMENTS.get(adapter);
  if (instruments === undefined) {
    instruments = instrumentsOf(adapter);
    INSTRUMENTS.set(adapter, instruments);
  }
  return instruments;
}

function count(adapter: TelemetryMetrics, event: OutcomeEvent): void {
  const instruments = instrumentsFor(adapter);
  const { provider, model, tool } = event;
  if (event.outcome === "escalation") {
    instruments.escalations.add(1, { provider, model, tool });
    return;
  }
  const { outcome, taught, executed } = event;
  instruments.calls.add(1, { provider, model, tool, outcome, taught, executed });
  for (const mode of event.modes) instruments.modes.add(1, { provider, model, tool, outcome, mode });
}

function attributesOf(event: OutcomeEvent) {
  const { provider, model, tool, api, outcome } = event;
  const common = { provider, model, tool, api, outcome, modes: event.modes, shape: JSON.stringify(event.shape) };
  if (event.outcome === "escalation") return { ...common, failures: event.failures };
  return { ...common, forgiven: event.forgiven, taught: event.taught, executed: event.executed };
}

function isSpan(context: TelemetryContext): context is TelemetrySpan {
  return "addEvent" in context;
}
