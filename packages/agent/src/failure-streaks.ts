// How often in a row a tool's calls failed in the same way. Asked once per bounced call; a call that passes clears its
// tool. Never counts failures of different tools, or at different places, together.
import type { BouncedToolCall, PreparedToolCall } from "./prepare-tool-call.ts";

type Bounced = Extract<PreparedToolCall, { readonly outcome: "bounced" }>;

interface Streak {
  readonly signature: string;
  readonly count: number;
}

/** Open streaks of one session, by tool. */
export class FailureStreaks {
  readonly #byTool = new Map<string, Streak>();

  /**
   * Counts one failure and returns how many identical ones of this tool there are now, this one included.
   *
   * @param places what failed, as `failedPlaces` gives it
   */
  fail(tool: string, places: readonly string[]): number {
    const signature = places.join("\n");
    const last = this.#byTool.get(tool);
    const count = last?.signature === signature ? last.count + 1 : 1;
    this.#byTool.set(tool, { signature, count });
    return count;
  }

  /** A call of the tool passed. */
  clear(tool: string): void {
    if (this.#byTool.size > 0) this.#byTool.delete(tool);
  }
}

/** Paths and keywords of what failed, each once and sorted; what an earlier step refused has none. */
export function failedPlaces({ failures }: Bounced): readonly string[] {
  if (failures === undefined) return ["unreadable"];
  const places = failures.map(({ path, keyword, reason }) => `${path} ${keyword === "json" ? reason : keyword}`);
  return [...new Set(places)].sort();
}

/** The bounced call with its places on the block, and so in the transcript: a session that is opened again counts on. */
export function withPlaces(bounced: Bounced, places: readonly string[]): Bounced {
  const block: BouncedToolCall = { ...bounced.block, bounce: { places } };
  return { ...bounced, block };
}
