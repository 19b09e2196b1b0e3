// Marks Google's calls whose arguments come in parts over several chunks. Runs on each parsed chunk before upstream reads it:
// upstream takes each part for a call of its own, the first without arguments. Puts no parts together: no request asks for them.

interface CallPart {
  functionCall?: { args?: unknown; partialArgs?: unknown; willContinue?: unknown } | null;
}

/** What no reader takes for whole. */
const CUT = "{";

/** Makes the arguments of such calls a cut text, in place, so that none of them runs. */
export function refusePartialCalls(chunk: unknown): void {
  const parts = (chunk as { candidates?: { content?: { parts?: unknown } | null }[] } | null)?.candidates?.[0]?.content
    ?.parts;
  if (!Array.isArray(parts)) return;
  for (let at = 0; at < parts.length; at++) {
    const call = (parts[at] as CallPart | null)?.functionCall;
    if (call && (call.willContinue === true || call.partialArgs !== undefined)) call.args = CUT;
  }
}
