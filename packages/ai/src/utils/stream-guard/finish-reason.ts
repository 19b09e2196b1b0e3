// Finish reasons as servers spell them. Runs when upstream ended a stream as failed because it did not know the word.
// Never decides whether a call is complete: its text does.
import type { AssistantMessage } from "@earendil-works/pi-ai";

/** Folded spelling (lower case, letters only) → what it means. */
const MEANINGS: ReadonlyMap<string, "stop" | "length" | "toolUse"> = new Map([
  ...[
    "length",
    "maxtokens",
    "maxtoken",
    "maxoutputtokens",
    "maxlength",
    "tokenlimit",
    "lengthlimit",
    "maxcontentlength",
    "modellength",
    "modelcontextwindowexceeded",
  ].map((word) => [word, "length"] as const),
  ...["toolcalls", "toolcall", "tooluse", "functioncall", "functioncalls"].map((word) => [word, "toolUse"] as const),
  ...[
    "stop",
    "stopped",
    "stopsequence",
    "end",
    "endturn",
    "endoftext",
    "eos",
    "eostoken",
    "complete",
    "completed",
    "finish",
    "finished",
    "done",
    "normal",
  ].map((word) => [word, "stop"] as const),
]);

/** The stop reason a finish word means; `undefined` for words that report a failure or mean nothing known. */
export function meaningOfFinishReason(word: string): "stop" | "length" | "toolUse" | undefined {
  if (word.length > 40) return undefined;
  return MEANINGS.get(
    word
      .toLowerCase()
      .replace(/^.*\./, "")
      .replace(/[^a-z]/g, ""),
  );
}

/**
 * The message as its finish word meant it, when upstream failed it over that word alone.
 *
 * @returns a copy with `stopReason` set and `errorMessage` gone; `undefined` when the failure has another cause
 */
export function readForeignFinish(message: AssistantMessage): AssistantMessage | undefined {
  // Typed as text, but upstream hands on whatever the server sent.
  const word: unknown = message.rawStopReason;
  // Upstream ends its message with the word only when the word is the cause; any other failure says something else.
  if (message.stopReason !== "error" || typeof word !== "string" || word === "") return undefined;
  if (!message.errorMessage?.endsWith(`: ${word}`)) return undefined;
  const meaning = meaningOfFinishReason(word);
  if (meaning === undefined) return undefined;
  const hasCall = message.content.some((block) => block.type === "toolCall");
  const { errorMessage: _, ...rest } = message;
  return { ...rest, stopReason: meaning === "length" ? "length" : hasCall ? "toolUse" : "stop" };
}
