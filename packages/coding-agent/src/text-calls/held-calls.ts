// Which calls of a reply in text mode do not run because of what stands before them: an envelope that could not be read may
// hold them as its value, and a result that the model wrote itself is what they build on. Pure; looks at one message.
import type { RefusedEnvelope, TextToolCall, TextToolCalls } from "@pi-mend/ai/tool-repair";

/** What becomes of a reply's calls. */
export interface HeldCalls {
  readonly calls: ReadonlySet<TextToolCall>;
  /** What to tell the model about them, "" where there are none. */
  readonly message: string;
}

/** A text block and what was read in it. */
export interface ReadText {
  readonly text: string;
  readonly part: TextToolCalls;
}

const UNREAD = "The calls behind it were not run either. Send them again.";
const INVENTED =
  "You wrote the result of a call yourself, so the calls behind it were not run. Wait for the results before you go on.";
/** An envelope with any other fault ends where it says it does. */
const OPEN: ReadonlySet<RefusedEnvelope["reason"]> = new Set(["malformed", "truncated", "mentioned"]);
/** How a request in text mode shows results, and how chat formats do. */
const RESULT =
  /^[ \t]*(?:Result of [\w.:/-]{1,128}(?: \(\d{1,4} of \d{1,4}\))?, (?:ok|failed):|<(?:tool_responses?|tool_results?|function_results)>)/m;

/** @param blocks the text blocks of one message, in order */
export function heldCalls(blocks: readonly ReadText[]): HeldCalls {
  const calls = new Set<TextToolCall>();
  let why = "";
  let isCalled = false;
  for (const { text, part } of blocks) {
    let from = 0;
    for (const found of [...part.calls, ...part.refused].sort((a, b) => a.range.start - b.range.start)) {
      if (why === "" && isCalled && RESULT.test(text.slice(from, found.range.start))) why = INVENTED;
      from = Math.max(from, found.range.end);
      if ("arguments" in found) {
        isCalled = true;
        if (why !== "") calls.add(found);
      } else if (OPEN.has(found.reason)) why ||= UNREAD;
    }
  }
  return { calls, message: calls.size === 0 ? "" : why };
}
