// What the live view holds back of a text that may become a call: every opener of every family, cut at every character, with
// the stream ended in each way, or with prose behind it. Never more than the longest marker, and nothing is lost.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { withLeakedCalls } from "@pi-mend/agent/door";
import { createMarkupFilter, type RepairTool } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { OPENER_TEXTS } from "../../../ai/src/utils/tool-repair/grammars/openers.ts";
import { GrowingText } from "../../src/text-calls/growing-text.ts";
import { shownWhileStreaming } from "../../src/text-calls/live-text.ts";

const WRITE: RepairTool = { name: "write", parameters: { type: "object" } };
const TOOLS = new Map([[WRITE.name, WRITE]]);
/** The longest marker, with the bracket that may stand before it. */
const LONGEST = Math.max(...OPENER_TEXTS.map(({ length }) => length)) + 1;
const HEADS = ["Well. ", "Well.\n", ""];
const MORE =
  " is what stands there, and a long sentence goes on behind it until nobody can take it for a call any more. ".repeat(
    2,
  );

const cuts = (opener: string) => Array.from({ length: opener.length }, (_, index) => opener.slice(0, index + 1));

/** Every state of the view while `text` comes in one character at a time. */
function views(text: string): readonly string[] {
  const growing = new GrowingText(() => [WRITE]);
  return Array.from(text, (_, index) => growing.show(text.slice(0, index + 1)));
}

/** The message's text when it is whole, as the session keeps and pi draws it. */
function finalText(text: string, stopReason: AssistantMessage["stopReason"]): string {
  const message = { role: "assistant", content: [{ type: "text", text }], stopReason, model: "m" };
  const settings = { grammar: "strip", unknownGrammar: "preserve", recoverTools: [] } as const;
  const conversation = () => ({ texts: [], callIds: new Set<string>() });
  const outcome = withLeakedCalls(message as unknown as AssistantMessage, TOOLS, conversation, settings);
  return outcome.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe.each(OPENER_TEXTS)("%s", (opener) => {
  it.each(["stop", "length", "error", "aborted"] as const)(
    "cut anywhere by an end with %s is shown to its end",
    (reason) => {
      for (const head of HEADS) {
        for (const cut of cuts(opener)) {
          const text = head + cut;
          const states = views(text);
          const whole = finalText(text, reason);
          for (const [index, shown] of states.entries()) {
            expect(text.startsWith(shown), text).toBe(true);
            expect(index + 1 - shown.length, text).toBeLessThanOrEqual(LONGEST);
          }
          if (reason === "error" || reason === "aborted") expect(whole).toBe(text);
          expect(head.trim() === "" || whole.startsWith(head.trimEnd()), text).toBe(true);
          expect(whole.length - (states.at(-1) as string).length, text).toBeLessThanOrEqual(LONGEST);
        }
      }
    },
  );

  it("with prose behind it is shown, and its filter gives every character once", () => {
    for (const head of HEADS) {
      for (const cut of cuts(opener).slice(0, -1)) {
        const text = head + cut + MORE;
        const filter = createMarkupFilter([WRITE]);
        let given = "";
        for (const [index, char] of Array.from(text).entries()) {
          given += filter.push(char);
          expect(text.startsWith(given), text).toBe(true);
          if (OPENER_TEXTS.every((other) => !text.includes(other)))
            expect(index + 1 - given.length).toBeLessThanOrEqual(LONGEST);
        }
        expect(given + filter.end()).toBe(text);
      }
    }
  });
});

describe("text mode", () => {
  it.each(["<pi:call", "<tool_call>", "```tool"])("holds back no more than %s, cut anywhere", (opener) => {
    for (const cut of cuts(opener).slice(0, -1)) {
      const text = `Well. ${cut}`;
      expect(text.length - shownWhileStreaming(text).length).toBeLessThanOrEqual(opener.length);
      expect(shownWhileStreaming(`${text} or so.`)).toBe(`${text} or so.`);
    }
  });
});
