// A call that ran, as lessons look at it: what it was asked, what it said and whether it failed. Built once per result.

/** One executed call with its result. */
export interface FinishedCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments it ran with. */
  readonly args: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  readonly isError: boolean;
  /** What the tool returned beside its text. */
  readonly details?: unknown;
}

/** Longest piece of text that is looked at, from either end. */
const LOOKED_AT = 2_000;

/** The text of a result as lessons read it: its start and its end, at most 2,000 characters each. */
export function looksOf({ content }: FinishedCall): { readonly head: string; readonly tail: string } {
  const texts = content.flatMap((block) => (typeof block?.text === "string" ? [block.text] : []));
  const [first = ""] = texts;
  const last = texts.at(-1) ?? "";
  return { head: first.slice(0, LOOKED_AT), tail: last.slice(-LOOKED_AT).trimEnd() };
}

/** Whether the result holds no text beside notices in brackets and white space. Images count as content. */
export function isBlankResult({ content }: FinishedCall): boolean {
  return content.every(
    (block) =>
      block?.type === "text" &&
      typeof block.text === "string" &&
      block.text.length < LOOKED_AT &&
      /^\s*(?:\[[^\]]*\]\s*)?$/.test(block.text),
  );
}
