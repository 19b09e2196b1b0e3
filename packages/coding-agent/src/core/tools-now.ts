// The tools a model may call right now, read once for all hooks of a message that ended. Made when the extension starts; asks
// pi when a hook asks. Never holds a reading beyond its message: tools come and go.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { LiveTools } from "./live-tools.ts";
import type { LatePart } from "./load-late-part.ts";
import { registeredHints } from "./registered-hints.ts";

export interface ToolsNow {
  /** For the hooks of `message_end`. */
  readonly ofMessage: (part: LatePart) => LiveTools;
  /** For everything else: a reading of its own. */
  readonly now: (part: LatePart) => LiveTools;
}

/** To be made before the hooks that use it are registered. */
export function toolsNow(pi: ExtensionAPI): ToolsNow {
  const hints = registeredHints(pi);
  let read: LiveTools | undefined;
  const now = (part: LatePart) => part.liveTools(pi, hints(part));
  pi.on("message_end", () => {
    read = undefined;
  });
  return {
    now,
    ofMessage: (part) => {
      read ??= now(part);
      return read;
    },
  };
}
