// Puts arguments back together that a server sent under an index it never opened: upstream makes a call without a name of
// each such piece. Runs on the final message, only when it holds a nameless call. Never guesses: the pieces must give
// one whole object for one call, or everything stays as it came.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { GuardedToolCall } from "./call-block.ts";
import { isOpenText } from "./settle-arguments.ts";
import { withText } from "./with-text.ts";

type Content = AssistantMessage["content"];

/** A named call and the pieces that may belong to it. */
interface Collector {
  readonly at: number;
  /** The call's own text waits for its end. Asked once: asking after each piece would read the text over and over. */
  readonly open: boolean;
  text: string;
  readonly pieces: number[];
}

/**
 * Joins nameless pieces to the call they continue: the nearest call before them when that still waits for its end,
 * otherwise the only one that does.
 *
 * @param textAt the arguments text of the call at a content index, where known
 * @returns `content` itself when there is nothing to join
 */
export function joinFragments(content: Content, textAt: (index: number) => string | undefined): Content {
  if (!content.some(isNameless)) return content;
  const collectors: Collector[] = [];
  const dropped = new Set<number>();
  for (const [at, block] of content.entries()) {
    if (block.type !== "toolCall") continue;
    const text = textAt(at) ?? textOf(block);
    if (!isNameless(block)) {
      collectors.push({ at, open: isOpenText(text), text, pieces: [] });
    } else if (text === "") {
      // An index that was opened and never used.
      if (collectors.length > 0) dropped.add(at);
    } else {
      const target = ownerOf(collectors, text);
      if (target === undefined) continue;
      target.text += text;
      target.pieces.push(at);
    }
  }
  const joined = new Map<number, GuardedToolCall>();
  for (const { at, text, pieces } of collectors) {
    if (pieces.length === 0) continue;
    const whole = withText(content[at] as GuardedToolCall, text);
    if (whole.argumentsError !== undefined) continue;
    joined.set(at, whole);
    for (const piece of pieces) dropped.add(piece);
  }
  if (dropped.size === 0) return content;
  return content.map((block, at) => joined.get(at) ?? block).filter((_, at) => !dropped.has(at));
}

function ownerOf(collectors: readonly Collector[], piece: string): Collector | undefined {
  const nearest = collectors.at(-1);
  if (nearest === undefined || nearest.open) return nearest;
  // A call without arguments, then arguments without a name: the first was a placeholder.
  if (isPlaceholder(nearest.text) && !isPlaceholder(piece)) return nearest;
  const open = collectors.filter((collector) => collector.open);
  return open.length === 1 ? open[0] : undefined;
}

function isPlaceholder(text: string): boolean {
  return text.trim() === "{}";
}

function isNameless(block: Content[number]): boolean {
  return block.type === "toolCall" && (typeof block.name !== "string" || block.name.trim() === "");
}

/** The text of a call that upstream accepted: empty for no arguments, otherwise the JSON of what it holds. */
function textOf(block: GuardedToolCall): string {
  return Object.keys(block.arguments ?? {}).length === 0 ? "" : JSON.stringify(block.arguments);
}
