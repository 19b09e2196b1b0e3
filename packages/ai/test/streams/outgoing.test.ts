// What goes over the wire to a backend: names it takes, schemas it can read, history it does not refuse. And back again.
import type { Message, Tool } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stream as anthropicStream } from "../../src/api/anthropic-messages.ts";
import { stream as openaiStream } from "../../src/api/openai-completions.ts";
import { outgoingContext, outgoingToolChoice } from "../../src/utils/stream-guard/outgoing-context.ts";
import { OutgoingNames } from "../../src/utils/stream-guard/outgoing-names.ts";
import { outgoingSchema, schemaRulesFor } from "../../src/utils/stream-guard/outgoing-schemas.ts";
import { API_ENCODERS, ENCODERS } from "../support/encoders/index.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { runProviderStream } from "../support/run-provider-stream.ts";
import { reply, toolCall } from "../support/scripted-stream.ts";
import { PROMPT, TOOLS_WITH_TEXT, testContext, testModel } from "../support/test-model.ts";

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const LONG = `server__${"very_long_".repeat(8)}tool`;
const NAMES = ["files.read", "files_read", "files/read", "grüße", LONG, `${LONG}2`, "plain-name"];
const named = (name: string): Tool => ({
  name,
  description: "A tool.",
  parameters: { type: "object", properties: {} },
});

describe.each(API_ENCODERS.map((encoder) => [encoder.api, encoder] as const))("names over %s", (_, encoder) => {
  let server: Loopback;
  beforeAll(async () => {
    server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  });
  afterAll(() => server.close());

  it("are legal in tools and history, and mean the same tool on the way back", async () => {
    const history: Message[] = [PROMPT];
    for (const [index, name] of [...NAMES, "gone.tool", ""].entries()) {
      history.push({
        ...reply([toolCall(`h${index}`, name)], "toolUse"),
        api: encoder.api,
        provider: "test-provider",
        model: "test-model",
      });
      history.push({
        role: "toolResult",
        toolCallId: `h${index}`,
        toolName: name,
        content: [{ type: "text", text: "ok" }],
        isError: false,
        timestamp: 0,
      });
    }
    const context = testContext(NAMES.map(named), history);
    const ask = (calls: readonly string[]) => {
      const wire = calls.map((name, index) => ({ id: `c${index}`, name, rawArguments: "{}" }));
      return runProviderStream(encoder, server, [encoder.encode(wire, { finish: "toolUse" })], context);
    };
    await ask(["plain-name"]);
    const sent = [...new Set(namesIn(server.requests.at(-1)))];
    expect(sent.filter((name) => !LEGAL.test(name))).toEqual([]);
    expect(sent).toHaveLength(NAMES.length + 2);
    const back = await ask(sent);
    expect(new Set(back.calls.map((call) => call.name))).toEqual(new Set([...NAMES, "gone.tool", ""]));
    // With what models add to a name, too; a name that was sent for a tool means that tool.
    const shown = sent.filter((name) => name.startsWith("server__"));
    const added = await ask(shown.flatMap((name) => [`functions.${name}`, ` ${name}\n`, name.toUpperCase()]));
    expect(new Set(added.calls.map((call) => call.name))).toEqual(new Set([LONG, `${LONG}2`]));
  });
});

describe("fields that a proxy of the Anthropic API refuses", () => {
  it.each([
    [undefined, true],
    [{ supportsEagerToolInputStreaming: false }, false],
  ])("follow upstream's switch on the model: %j", async (compat, isSent) => {
    const encoder = ENCODERS.find((each) => each.api === "anthropic-messages");
    if (encoder === undefined) throw new Error("no encoder");
    const pieces = [encoder.encode([], { finish: "stop" })];
    const server = await startLoopback({ contentType: encoder.contentType, pieces });
    try {
      const model = testModel("anthropic-messages", server.url, compat === undefined ? {} : { compat });
      await anthropicStream(model, testContext(TOOLS_WITH_TEXT), { apiKey: "test", maxRetries: 0 }).result();
      const { tools } = server.requests.at(-1) as { tools: object[] };
      expect(tools.map((tool) => "eager_input_streaming" in tool)).toEqual(TOOLS_WITH_TEXT.map(() => isSent));
    } finally {
      await server.close();
    }
  });
});

/** Every `name` in a request body. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "name" && typeof inner === "string" ? [inner] : namesIn(inner),
  );
}

describe("outgoing names", () => {
  it("give a tool the same name whatever stands beside it", () => {
    const alone = new OutgoingNames([LONG]).sent(LONG);
    expect(new OutgoingNames([...NAMES].reverse()).sent(LONG)).toBe(alone);
  });

  it("pass a conversation with legal names on as it is", () => {
    const context = testContext(TOOLS_WITH_TEXT, [PROMPT, reply([toolCall("c", "read", { path: "a" })], "toolUse")]);
    expect(outgoingContext(testModel("openai-completions", "http://127.0.0.1"), context)).toEqual({
      context,
      names: undefined,
    });
    expect(outgoingContext(testModel("openai-completions", "http://127.0.0.1"), context).context).toBe(context);
  });

  it.each([
    [
      { type: "function", function: { name: "a.b" } },
      { type: "function", function: { name: "a_b" } },
    ],
    [
      { type: "tool", name: "a.b" },
      { type: "tool", name: "a_b" },
    ],
    ["auto", "auto"],
    [{ type: "any" }, { type: "any" }],
  ])("follow into the tool choice %j", (choice, sent) => {
    expect(outgoingToolChoice(choice, new OutgoingNames(["a.b"]))).toEqual(sent);
  });
});

describe("a tool choice that names a tool", () => {
  it("is sent with the name the tool is sent with", async () => {
    const encoder = ENCODERS.find(({ api }) => api === "openai-completions")!;
    const server = await startLoopback({
      contentType: encoder.contentType,
      pieces: [encoder.encode([], { finish: "stop" })],
    });
    const toolChoice = { type: "function", function: { name: "files.read" } } as const;
    const model = testModel("openai-completions", `${server.url}/v1`);
    const stream = openaiStream(model, testContext([named("files.read")]), {
      apiKey: "test",
      maxRetries: 0,
      toolChoice,
    });
    await stream.result();
    await server.close();
    expect(server.requests[0]).toMatchObject({
      tools: [{ function: { name: "files_read" } }],
      tool_choice: { type: "function", function: { name: "files_read" } },
    });
    expect(toolChoice.function.name).toBe("files.read");
  });
});

describe("outgoing history", () => {
  it.each([
    [null, {}],
    ['{"path":"a"}', { path: "a" }],
    ["a.txt", {}],
    [[{ path: "a" }], {}],
  ])("sends arguments %j as %j", (stored, sent) => {
    const message = Object.freeze(reply([Object.freeze(toolCall("c", "read", stored))], "toolUse"));
    const { context } = outgoingContext(
      testModel("openai-completions", "http://127.0.0.1"),
      testContext(TOOLS_WITH_TEXT, [message]),
    );
    expect(context.messages.at(-1)).toMatchObject({ content: [{ arguments: sent }] });
    expect((message.content[0] as { arguments: unknown }).arguments).toBe(stored);
  });
});

const props = (properties: object) => ({ type: "object", properties });

describe("outgoing schemas", () => {
  it.each([
    ["kimi-k2", "together", props({ p: { type: "string", pattern: "^a$" } }), props({ p: { type: "string" } })],
    [
      "MiniMax-M2",
      "minimax",
      props({ p: { anyOf: [{ type: "string", pattern: "^a$" }] } }),
      props({ p: { anyOf: [{ type: "string" }] } }),
    ],
    ["glm-4.6", "zai", { $defs: { D: { type: "string", pattern: "a$" } } }, { $defs: { D: { type: "string" } } }],
    ["glm-4.6", "zai", props({ pattern: { type: "string" } }), "same"],
    ["glm-4.6", "llama.cpp", props({ p: { type: "string", pattern: "^a$" } }), "same"],
    ["gpt-5", "openai", props({ p: { type: "string", pattern: "^a$" } }), "same"],
    [
      "kimi-k2",
      "moonshotai",
      { properties: { a: { description: "x" } } },
      { type: "object", properties: { a: { description: "x", type: "string" } } },
    ],
    [
      "kimi-k2",
      "moonshotai",
      props({ a: { enum: [1, 2] }, b: { items: {} } }),
      props({ a: { type: "number", enum: [1, 2] }, b: { type: "array", items: { type: "string" } } }),
    ],
    [
      "kimi-k2",
      "moonshotai",
      props({ a: { anyOf: [{ type: "string" }, { const: true }] } }),
      props({ a: { anyOf: [{ type: "string" }, { type: "boolean", const: true }] } }),
    ],
    [
      "kimi-k2",
      "moonshotai",
      { ...props({ a: { $ref: "#/$defs/P", description: "x" } }), $defs: { P: { type: "string", description: "y" } } },
      { ...props({ a: { type: "string", description: "x" } }), $defs: { P: { type: "string", description: "y" } } },
    ],
    [
      "kimi-k2",
      "moonshotai",
      {
        ...props({ a: { $ref: "#/$defs/P", description: "x" } }),
        $defs: { P: { type: "object", properties: { p: { $ref: "#/$defs/P", description: "z" } } } },
      },
      {
        ...props({ a: { type: "object", description: "x", properties: { p: { $ref: "#/$defs/P" } } } }),
        $defs: {
          P: {
            type: "object",
            properties: { p: { type: "object", description: "z", properties: { p: { $ref: "#/$defs/P" } } } },
          },
        },
      },
    ],
    [
      "gemini-3-pro",
      "openrouter",
      props({ a: { type: "string", enum: ["", "x"] } }),
      props({ a: { type: "string", enum: ["x"] } }),
    ],
    ["gemini-3-pro", "openrouter", props({ a: { type: "string", enum: [""] } }), props({ a: { type: "string" } })],
    ["gemini-3-pro", "openrouter", props({ a: { type: "string", enum: ["x"] } }), "same"],
    [
      "gemini-3-pro",
      "openrouter",
      { ...props({ a: { type: "string", enum: ["", "x"] }, b: { type: "string" } }), required: ["a", "b"] },
      { ...props({ a: { type: "string", enum: ["x"] }, b: { type: "string" } }), required: ["b"] },
    ],
    [
      "gemini-3-pro",
      "openrouter",
      { ...props({ a: { anyOf: [{ enum: ["", "x"] }, { type: "null" }] } }), required: ["a"] },
      props({ a: { anyOf: [{ enum: ["x"] }, { type: "null" }] } }),
    ],
    [
      "gemini-3-pro",
      "openrouter",
      { ...props({ a: { $ref: "#/$defs/E" } }), required: ["a"], $defs: { E: { enum: ["", "x"] } } },
      { ...props({ a: { $ref: "#/$defs/E" } }), $defs: { E: { enum: ["x"] } } },
    ],
    [
      "gemini-3-pro",
      "openrouter",
      props({ list: { items: { ...props({ a: { enum: ["", "x"] } }), required: ["a"] } } }),
      props({ list: { items: props({ a: { enum: ["x"] } }) } }),
    ],
  ])("for %s on %s", (id, provider, schema, expected) => {
    const model = testModel("openai-completions", "http://127.0.0.1", { id, provider });
    const before = structuredClone(schema);
    const sent = outgoingSchema(schema, schemaRulesFor(model));
    if (expected === "same") expect(sent).toBe(schema);
    else expect(sent).toEqual(expected);
    expect(schema).toEqual(before);
    expect(outgoingSchema(schema, schemaRulesFor(model))).toBe(sent);
  });

  it("reach the wire while the tool keeps its own", async () => {
    const tool: Tool = { ...named("t"), parameters: props({ path: { type: "string", pattern: "^/" } }) };
    const encoder = ENCODERS.find(({ api }) => api === "openai-completions")!;
    const server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
    const bytes = encoder.encode([{ id: "c", name: "t", rawArguments: "{}" }], { finish: "toolUse" });
    await runProviderStream(encoder, server, [bytes], testContext([tool]), { id: "kimi-k2.5" });
    await server.close();
    expect(JSON.stringify(server.requests[0])).toContain('"path":{"type":"string"}');
    expect(tool.parameters).toEqual(props({ path: { type: "string", pattern: "^/" } }));
  });
});
