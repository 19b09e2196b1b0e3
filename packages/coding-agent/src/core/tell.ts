// Says one thing to whoever runs pi: on the screen where there is one, else on stderr. Never to the model.
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

export function tell(ctx: Pick<ExtensionContext, "hasUI" | "ui">, text: string): void {
  if (ctx.hasUI) ctx.ui.notify(`pi-mend: ${text}`, "warning");
  else process.stderr.write(`pi-mend: ${text}\n`);
}
