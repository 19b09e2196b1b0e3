// What the package does under a pi that it does not support: say so, once for the process. Registers nothing else.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { shared } from "./shared-state.ts";
import { SUPPORTED_PI } from "./supported-pi.ts";
import { tellUser } from "./tell-user.ts";

export function stayPassive(pi: ExtensionAPI, version: string): void {
  pi.on("session_start", (_event, ctx) => {
    if (shared.isSaid) return;
    shared.isSaid = true;
    const { from, below } = SUPPORTED_PI;
    tellUser(ctx, `made for pi ${from} up to, not including, ${below}; it does nothing under pi ${version}.`);
  });
}
