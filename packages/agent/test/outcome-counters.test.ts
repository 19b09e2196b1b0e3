// The example for embedders that count at a collector: it runs, docs/fleet.md shows it, and the collector's configuration there
// fits together.
import { readFileSync } from "node:fs";
import { fauxAssistantMessage, fauxText } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { outcomeCounters } from "../examples/outcome-counters.ts";
import { Agent, MEND_TELEMETRY_SCHEMA } from "../src/index.ts";
import { DONE, fauxOf, turn } from "./support/faux-run.ts";
import { type OtlpCollector, startOtlpCollector } from "./support/otlp-collector.ts";
import { recordingTool } from "./support/tools.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const PAGE = read("../../../docs/fleet.md");

const PRINTED = '<tool_call>{"name": "look", "arguments": {"path": "CANARY"}}</tool_call>';

let collector: OtlpCollector;
beforeAll(async () => {
  collector = await startOtlpCollector();
});
afterAll(() => collector.close());

it("sends the counters of an agent to the endpoint that the environment names", async () => {
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url;
  process.env["OTEL_RESOURCE_ATTRIBUTES"] = "service.instance.id=worker-7";
  const { telemetry, close } = outcomeCounters();
  const tools = [recordingTool("look")];
  const core = fauxOf([
    turn(["look", { path: "CANARY", depth: "2" }], ["look", { path: "CANARY" }], ["nope", {}]),
    ...Array.from({ length: 3 }, () => turn(["look", { path: "CANARY", depth: "CANARY" }])),
    fauxAssistantMessage([fauxText(PRINTED)], { timestamp: 1 }),
    DONE,
  ]);
  const agent = new Agent({
    streamFn: core.streamSimple,
    initialState: { systemPrompt: "Look.", tools, model: core.getModel() },
    toolRepair: { telemetry },
  });
  await agent.prompt("Look.");
  await close();
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  delete process.env["OTEL_RESOURCE_ATTRIBUTES"];

  expect(collector.counted("pi.mend.calls", "outcome")).toEqual([
    ["bounced", 3],
    ["clean", 1],
    ["refused", 1],
    ["repaired", 1],
  ]);
  expect(collector.counted("pi.mend.modes", "mode")).toContainEqual(["numberFromString", 1]);
  expect(collector.counted("pi.mend.escalations", "tool")).toEqual([["look", 1]]);
  expect(collector.counted("pi.mend.leaks", "action")).toEqual([["stripped", 1]]);
  expect(collector.text()).toContain('"service.instance.id","value":{"stringValue":"worker-7"}');
  expect(collector.text()).not.toContain("CANARY");
});

it("is what the page shows, with every counter there is", () => {
  const source = read("../examples/outcome-counters.ts").split("\n").slice(1).join("\n").trim();
  expect(PAGE).toContain(source);
  for (const counter of Object.keys(MEND_TELEMETRY_SCHEMA.metrics)) expect(PAGE).toContain(`\`${counter}\``);
});

it("the collector's configuration uses what it declares, and nothing else", () => {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const { receivers, processors, exporters, service } = parse(yaml);
  const { metrics } = service.pipelines;
  expect(metrics.receivers).toEqual(Object.keys(receivers));
  expect(metrics.processors).toEqual(Object.keys(processors));
  expect(metrics.exporters).toEqual(Object.keys(exporters));
  // The port that the exporter of the page is pointed to.
  expect(PAGE).toContain(
    `OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:${receivers.otlp.protocols.http.endpoint.split(":")[1]}`,
  );
});
