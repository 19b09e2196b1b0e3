// An extension entry that hands pi's terminal library to the main entry. The settings menu is made of pi's own components,
// and only pi's loader can give them out. It knows the library under this legacy name; an entry of its own keeps the main
// one out of the loader's slow path. Dropped when pi hands its components to `ctx.ui.custom`.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { ifKnown, onlyThroughPiLoader } from "../core/host-module.ts";
import { shareHostTui } from "./host-tui.ts";

onlyThroughPiLoader();
const library = await ifKnown(() => import("@mariozechner/pi-tui"));

/** Registers nothing with pi. */
export default function piMendTui(_pi: ExtensionAPI): void {
  if (library !== undefined) shareHostTui(library);
}
