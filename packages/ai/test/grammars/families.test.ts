// Every family of leaked calls: whole, several, with prose around, cut at every place, in code, mentioned, to an unknown tool.
import { describe, expect, it } from "vitest";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, type SampleCall, STORE, UNKNOWN } from "./family-samples.ts";

function read(text: string) {
  const { calls, text: rest, refused } = readLeakedCalls(text, SAMPLE_TOOLS);
  return { calls: calls.map(({ name, arguments: args }) => ({ name, args })), text: rest, refused };
}

const plain = ({ name, args }: SampleCall) => ({ name, args });

describe.each(FAMILIES)("$family", ({ print, single, bare }) => {
  it("reads one call and leaves no text", () => {
    expect(read(print(FETCH))).toMatchObject({ calls: [plain(FETCH)], text: "" });
    expect(read(print(STORE))).toMatchObject({ calls: [plain(STORE)], text: "" });
  });

  it("reads several calls in order", () => {
    if (single) return expect(read(print(FETCH)).calls).toHaveLength(1);
    expect(read(print(STORE, FETCH, STORE))).toMatchObject({ calls: [STORE, FETCH, STORE].map(plain), text: "" });
  });

  it.each(["\ufeff", "\u200b", "\u200e\u2060"])("reads a call behind the invisible %j, which stays", (lead) => {
    for (const text of ["", "On it.\n"]) {
      expect(read(`${lead}${text}${print(STORE)}`)).toMatchObject({ calls: [plain(STORE)], text: lead + text });
    }
    const door = readLeakedCalls(`${lead}${print(STORE)}${lead}`, SAMPLE_TOOLS, { trailingText: "refuse" });
    expect(door.calls).toHaveLength(1);
  });

  it("keeps the prose before a call", () => {
    expect(read(`I look at the page first.\n\n${print(FETCH)}`)).toMatchObject({
      calls: [plain(FETCH)],
      text: "I look at the page first.\n\n",
    });
  });

  it("gives ranges that do not overlap and lie inside the text", () => {
    const text = single ? print(FETCH) : print(STORE, FETCH);
    let from = 0;
    for (const { range } of readLeakedCalls(text, SAMPLE_TOOLS).calls) {
      expect(range.start).toBeGreaterThanOrEqual(from);
      expect(range.end).toBeGreaterThan(range.start);
      from = range.end;
    }
    expect(from).toBeLessThanOrEqual(text.length);
  });

  it("makes no other call out of a text that is cut anywhere", () => {
    const text = `On it.\n${print(STORE)}`;
    for (let end = 0; end < text.length; end++) {
      for (const { name, arguments: args } of readLeakedCalls(text.slice(0, end), SAMPLE_TOOLS).calls) {
        expect({ name, args, end }).toEqual({ ...plain(STORE), end });
      }
    }
  });

  it.each([
    ["a fence", (text: string) => `Like this:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n`],
    ["a tilde fence with a tag", (text: string) => `Like this:\n\n~~~xml\n${text}\n~~~\n`],
    ["a fence that never closes", (text: string) => `Like this:\n\n\`\`\`\`txt\n${text}`],
    ["inline code", (text: string) => `Send \`\`\`\` ${text.replaceAll("\n", " ")} \`\`\`\` to call it.`],
    ["a block quote", (text: string) => `The file says:\n\n${text.replace(/^/gm, "> ")}\n`],
    ["indented code", (text: string) => `The file says:\n\n${text.replace(/^/gm, "    ")}\n`],
    ["an HTML element for code", (text: string) => `The page has <pre>${text}</pre> in it.`],
  ])("reads no call in %s", (_, quote) => {
    const text = quote(print(FETCH));
    expect(read(text)).toMatchObject({ calls: [], text });
  });

  it("leaves a call to an unknown tool in the text", () => {
    const text = `Now:\n${print(UNKNOWN)}`;
    const got = read(text);
    expect(got).toMatchObject({ calls: [], text });
  });

  it("refuses a call whose required arguments are missing", () => {
    expect(read(print({ name: "store", args: { key: "a" } })).calls).toEqual([]);
  });

  it("reads prose behind a call only where the family has a marker", () => {
    const got = read(`${print(FETCH)}\nThat is the page.`);
    if (bare) expect(got.calls).toEqual([]);
    else expect(got).toMatchObject({ calls: [plain(FETCH)], text: "That is the page." });
    const strict = readLeakedCalls(`${print(FETCH)}\nThat is the page.`, SAMPLE_TOOLS, { trailingText: "refuse" });
    expect(strict.calls).toEqual([]);
  });
});
