// Wires the live view to pi: while a reply streams, its text is shown without the calls in it. Display only. An extension has
// one transformer of this kind, so this is the place for whatever else is to change in it.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { LeakSettings } from "@pi-mend/agent/door";
import type { GrowingText } from "../text-calls/growing-text.ts";
import { shownWhileStreaming } from "../text-calls/live-text.ts";
import { latePartIfLoaded, withLatePart } from "./load-late-part.ts";
import type { ToolsNow } from "./tools-now.ts";

export interface LiveTextHost {
  readonly settings: () => Pick<LeakSettings, "grammar">;
  readonly tools: ToolsNow;
  /** Whether the reply that streams is one in text mode. */
  readonly isTextMode: () => boolean;
}

export function registerLiveText(pi: ExtensionAPI, host: LiveTextHost): void {
  let growing: GrowingText | undefined;
  const grown = (text: string): string => {
    const part = latePartIfLoaded();
    if (part === undefined) return text;
    growing ??= new part.GrowingText(() => [...host.tools.now(part).lookup.values()]);
    return growing.show(text);
  };
  // pi waits for this handler, and draws at once.
  pi.on("message_start", ({ message }) => (message.role === "assistant" ? withLatePart(() => {}) : undefined));
  pi.registerMarkdownTransformer(
    (markdown, { isStreaming }) => {
      if (!isStreaming) return markdown;
      if (host.isTextMode()) return shownWhileStreaming(markdown);
      const { grammar } = host.settings();
      return grammar === "strip" || grammar === "recover" ? grown(markdown) : markdown;
    },
    { messageTypes: ["assistant"] },
  );
}
