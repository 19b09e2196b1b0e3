// The live view: shows text as it comes, hides calls, holds back no more than may become a marker, loses nothing.
import { describe, expect, it } from "vitest";
import { createMarkupFilter } from "../../src/utils/tool-repair/grammars/markup-filter.ts";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, STORE } from "./family-samples.ts";

function stream(text: string, size: number): { shown: string; most: number } {
  const filter = createMarkupFilter(SAMPLE_TOOLS);
  let shown = "";
  let most = 0;
  for (let at = 0; at < text.length; at += size) {
    shown += filter.push(text.slice(at, at + size));
    most = Math.max(most, Math.min(text.length, at + size) - shown.length);
  }
  return { shown: shown + filter.end(), most };
}

const SIZES = [1, 3, 17, 10_000];

describe.each(SIZES)("in pieces of %i", (size) => {
  it.each([
    "Plain text, a < b, list[0] and <functional> style.\n",
    "The tag <tool_call> is what the parser looks for, and <tool_call fakeout is not one.",
    '```xml\n<tool_call>{"name":"store"}\n```\nThat was code.',
    "Use `<function=store>` here and ``<invoke name=`` there.\n> <tool_call>store</tool_call>\n",
    "ends in a half marker <tool_c",
    "The parser looks for <tool_call> and stores what follows, then <function_calls> and store it.",
    "[TOOL_CALLS] is a token, [1, 2] is a list",
  ])("ordinary text comes through whole: %j", (text) => {
    expect(stream(text, size).shown).toBe(text);
  });

  it.each(
    FAMILIES.filter(
      ({ bare, family }) =>
        !bare && !/without|functionary|calling|functools|granite-20b|qwen2|kimi elements/.test(family),
    ),
  )("a $family call that a sentence speaks of is shown as soon as the sentence goes on", ({ print }) => {
    for (const text of [
      `You would write ${print(STORE)} to store it.`,
      `The format is ${print(STORE)}. It is simple.\nThat is all.`,
      `${print(STORE)} is what the page says, and no more.`,
    ]) {
      const { shown } = stream(text, size);
      expect(shown).toBe(text);
      expect(readLeakedCalls(text, SAMPLE_TOOLS, { trailingText: "refuse" }).text).toBe(text);
    }
  });

  it("a half marker is shown when the stream ends", () => {
    const filter = createMarkupFilter(SAMPLE_TOOLS);
    expect(filter.push("a <tool_")).toBe("a ");
    expect(filter.end()).toBe("<tool_");
  });

  it.each(
    FAMILIES.filter(
      ({ bare, family }) =>
        !bare && !/without|functionary|calling|functools|granite-20b|qwen2|kimi elements/.test(family),
    ),
  )("no markup of a $family call is shown", ({ print }) => {
    const { shown } = stream(`Before.\n${print(STORE)}\nAfter.`, size);
    expect(shown.replaceAll("\n", " ").replace(/ +/g, " ").trim()).toBe("Before. After.");
  });
});

describe("the filter", () => {
  it("holds back a bounded part of text that is no call", () => {
    const text = `${"<tool_call> ".repeat(200)}${"<function=".repeat(200)}${'<tool_call>{"a":'.repeat(200)}`;
    expect(stream(text, 1)).toMatchObject({ shown: text });
    expect(stream(text, 1).most).toBeLessThan(256);
  });

  it("releases a call that never ends without its markers when the stream ends", () => {
    expect(stream('Now:\n<tool_call>{"name":"fetch_page","arguments":{"address":"docs', 5).shown).toContain("docs");
    expect(stream('Now:\n<tool_call>{"name":"fetch_page","arguments":{"address":"docs', 5).shown).not.toContain(
      "<tool_call>",
    );
  });

  it("shows what follows a call as soon as it is no part of it", () => {
    const filter = createMarkupFilter(SAMPLE_TOOLS);
    const call = `<tool_call>${JSON.stringify({ name: "fetch_page", arguments: FETCH.args })}</tool_call>`;
    expect(filter.push(`${call}\nNow`)).toBe("Now");
    expect(filter.push(" more")).toBe(" more");
  });
});
