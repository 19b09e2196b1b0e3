// What is shown of a reply while it streams.
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { GrowingText } from "../../src/text-calls/growing-text.ts";
import { shownWhileStreaming } from "../../src/text-calls/live-text.ts";
import { FAMILY_NAMES, printed } from "./support/printed-calls.ts";

const WRITE: RepairTool = { name: "write", parameters: { type: "object" } };

describe("a text in text mode", () => {
  it.each([
    ["All is well.", "All is well."],
    ['Reading.\n<pi:call name="read">{"pa', "Reading.\n"],
    ["Reading.\n<pi:c", "Reading.\n"],
    ["Reading.\n```tool\n{", "Reading.\n"],
    ["a < b", "a < b"],
    ["a <", "a "],
  ])("%j is shown as %j", (markdown, shown) => {
    expect(shownWhileStreaming(markdown)).toBe(shown);
  });
});

describe("a growing text", () => {
  /** What is shown at every step, with the text trimmed as pi hands it over. */
  function steps(text: string, growing = new GrowingText(() => [WRITE])): string[] {
    const shown: string[] = [];
    for (let end = 5; end < text.length + 5; end += 5) shown.push(growing.show(text.slice(0, end).trim()));
    return shown;
  }

  it.each(FAMILY_NAMES)("never shows a call of %s", (family) => {
    for (const shown of steps(`Writing.\n\n${printed(family, "a.txt", "hello")}`)) {
      expect("Writing.\n\n".startsWith(shown)).toBe(true);
    }
  });

  it("is shown whole without a call, nothing of it earlier than it came", () => {
    const text = "If a < b, take list[0].\n\nThen stop.";
    const shown = steps(text);
    expect(shown.at(-1)).toBe(text);
    for (const part of shown) expect(text.startsWith(part)).toBe(true);
  });

  it("starts over with another text, and asks for the tools again", () => {
    let asked = 0;
    const growing = new GrowingText(() => {
      asked++;
      return [WRITE];
    });
    steps("One text.", growing);
    expect(steps("Another text.", growing).at(-1)).toBe("Another text.");
    expect(asked).toBe(2);
  });
});
