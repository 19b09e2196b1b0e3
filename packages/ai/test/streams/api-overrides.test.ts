// The nine override modules against the installed upstream: nothing lost, `stream` and `streamSimple` replaced.
import { describe, expect, it } from "vitest";
import { API_ENCODERS } from "../support/encoders/index.ts";

const APIS = [
  "anthropic-messages",
  "azure-openai-responses",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
  "mistral-conversations",
  "openai-codex-responses",
  "openai-completions",
  "openai-responses",
] as const;

describe.each(APIS)("%s", (api) => {
  it("exports what upstream exports, with both streams replaced", async () => {
    const upstream = (await import(`@earendil-works/pi-ai/api/${api}`)) as Record<string, unknown>;
    const own = (await import(`../../src/api/${api}.ts`)) as Record<string, unknown>;
    expect(Object.keys(own).sort()).toEqual(Object.keys(upstream).sort());
    for (const [name, value] of Object.entries(upstream)) {
      if (name === "stream" || name === "streamSimple") expect(own[name]).not.toBe(value);
      else expect(own[name]).toBe(value);
    }
  });
});

it("each run over the loopback server", () => {
  expect(API_ENCODERS.map(({ api }) => api).sort()).toEqual(APIS);
});
