// Says something to the person who runs pi: as a notice where there is a screen, on stderr elsewhere.
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { showable } from "../tui/plain-lines.ts";

/** @param text one sentence or two, without the package's name */
export function tellUser(ctx: Pick<ExtensionContext, "hasUI" | "ui">, text: string): void {
  if (ctx.hasUI) ctx.ui.notify(`pi-mend: ${showable(text)}`, "warning");
  else process.stderr.write(`pi-mend: ${showable(text)}\n`);
}
