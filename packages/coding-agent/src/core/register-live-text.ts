// Wires the live view to pi: while a reply streams, its text is shown without the calls in it. Display only. An extension has
// one transformer of this kind, so this is the place for whatever else is to change in it.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { LeakSettings } from "@pi-mend/agent/door";
import { GrowingText, shownWhileStreaming } from "../text-calls/live-text.ts";
import { liveTools } from "./live-tools.ts";

export interface LiveTextHost {
  readonly settings: () => Pick<LeakSettings, "grammar">;
  /** Whether the reply that streams is one in text mode. */
  readonly isTextMode: () => boolean;
}

export function registerLiveText(pi: ExtensionAPI, host: LiveTextHost): void {
  const growing = new GrowingText(() => [...liveTools(pi, new Map()).lookup.values()]);
  pi.registerMarkdownTransformer(
    (markdown, { isStreaming }) => {
      if (!isStreaming) return markdown;
      if (host.isTextMode()) return shownWhileStreaming(markdown);
      const { grammar } = host.settings();
      return grammar === "strip" || grammar === "recover" ? growing.show(markdown) : markdown;
    },
    { messageTypes: ["assistant"] },
  );
}
