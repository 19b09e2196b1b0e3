// What the entries of the package share. pi loads each with a module scope of its own, so the state hangs on the
// process. Nothing of a session is in it.
import type { RepairTool } from "@pi-mend/ai/tool-repair";

export interface SharedState {
  /** The schemas of pi's tools as registered by this package: such tools are pi's own in all that matters. */
  readonly ownSchemas: WeakSet<object>;
  /** The repaired arguments, or `args` itself where they are clean or cannot be repaired. */
  mend(tool: RepairTool, args: unknown): unknown;
  /** The version of the pi that loaded the package, as its own module says; `undefined` where that cannot be had. */
  hostVersion: string | undefined;
  /** Whether it was said that the package does nothing here. */
  isSaid: boolean;
}

const KEY = Symbol.for("pi-mend.shared-state");

function create(): SharedState {
  // Until the main entry has loaded, arguments stay as they are.
  return { ownSchemas: new WeakSet(), mend: (_tool, args) => args, hostVersion: undefined, isSaid: false };
}

const holder = globalThis as { [KEY]?: SharedState };
holder[KEY] ??= create();

/** One object for the process. */
export const shared: SharedState = holder[KEY];
