// Fields whose enum loses `""` on the way to a backend: what a model that leaves them out said, over the wire.
import type { Tool, ToolCall } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateToolCall } from "../../src/utils/validation.ts";
import type { ProviderEncoder } from "../support/encoders/encoder.ts";
import { API_ENCODERS } from "../support/encoders/index.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { runProviderStream } from "../support/run-provider-stream.ts";
import { testContext } from "../support/test-model.ts";

const UNIT = { type: "string", enum: ["", "ms", "s"] };

const tool = (properties: object, rest: object = {}): Tool => ({
  name: "measure",
  description: "Measures.",
  parameters: { type: "object", properties, required: Object.keys(properties), ...rest },
});

/** The APIs where a rule takes the member out, with a model it is about. */
const TAKEN_OUT = API_ENCODERS.filter(({ api }) => api.startsWith("google") || api === "openai-completions");

describe.each(TAKEN_OUT.map((encoder) => [encoder.api, encoder] as const))("%s", (_, encoder) => {
  let server: Loopback;
  beforeAll(async () => {
    server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  });
  afterAll(() => server.close());

  const ask = async (asked: Tool, sent: unknown, id = "gemini-2.5-pro") => {
    const wire = [{ id: "call_1", name: asked.name, rawArguments: JSON.stringify(sent) }];
    const pieces = [encoder.encode(wire, { finish: "toolUse" })];
    const { calls } = await runProviderStream(encoder, server, pieces, testContext([asked]), { id });
    return calls[0] as ToolCall;
  };

  it.each<[string, Tool, object, object]>([
    ["a field", tool({ unit: UNIT }), {}, { unit: "" }],
    ["a field among others", tool({ n: { type: "number" }, unit: UNIT }), { n: 1 }, { n: 1, unit: "" }],
    ["without a type", tool({ unit: { enum: ["", "ms"] } }), {}, { unit: "" }],
    ["a referred field", tool({ unit: { $ref: "#/$defs/U" } }, { $defs: { U: UNIT } }), {}, { unit: "" }],
    [
      "fields of list items and inner objects",
      tool({ list: { type: "array", items: tool({ unit: UNIT }).parameters }, at: tool({ unit: UNIT }).parameters }),
      { list: [{ unit: "s" }, {}], at: {} },
      { list: [{ unit: "s" }, { unit: "" }], at: { unit: "" } },
    ],
  ])("fills %s, and keeps what was sent", async (_name, asked, sent, runs) => {
    const call = await ask(asked, sent);
    expect(validateToolCall([asked], call)).toEqual(runs);
    expect(call).toMatchObject({ repair: { names: ["emptyMemberRestored"], original: sent } });
  });

  it.each<[string, Tool, object]>([
    ["a field that came", tool({ unit: UNIT }), { unit: "ms" }],
    ["an optional field", tool({ unit: UNIT }, { required: [] }), {}],
  ])("leaves %s alone", async (_name, asked, sent) => {
    const call = await ask(asked, sent);
    expect(validateToolCall([asked], call)).toEqual(sent);
    expect(call).not.toHaveProperty("repair");
  });

  it.each<[string, Tool, object, string?]>([
    ["null is another reading", tool({ unit: { enum: ["", "ms", null] } }), {}],
    ["a default is another reading", tool({ unit: { ...UNIT, default: "ms" } }), {}],
    ["a branch is another reading", tool({ unit: { anyOf: [UNIT, { type: "number" }] } }), {}],
    ["another key may be the field", tool({ unit: UNIT }), { measure: "ms" }],
    ["the field is none of those", tool({ unit: UNIT, n: { type: "number" } }), {}],
    ["no member was lost", tool({ unit: { enum: ["ms"] } }), {}],
  ])("bounces where %s", async (_name, asked, sent) => {
    const call = await ask(asked, sent);
    expect(() => validateToolCall([asked], call)).toThrow(/unit|n/);
  });
});

it("a model that was sent the member has to send it", async () => {
  const encoder = API_ENCODERS.find(({ api }) => api === "openai-completions") as ProviderEncoder;
  const server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  const asked = tool({ unit: UNIT });
  const pieces = [encoder.encode([{ id: "c", name: asked.name, rawArguments: "{}" }], { finish: "toolUse" })];
  const { calls } = await runProviderStream(encoder, server, pieces, testContext([asked]), { id: "gpt-5" });
  await server.close();
  expect(calls[0]).not.toHaveProperty("repair");
  expect(() => validateToolCall([asked], calls[0] as ToolCall)).toThrow(/unit/);
});
