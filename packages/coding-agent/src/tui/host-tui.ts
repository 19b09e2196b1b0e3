// The parts of pi's terminal library that the menu is made of, as `host-tui-entry.ts` found them. Asked when the menu opens.
// Never imports the library: a tree that holds it would load a second copy, with keys and state of its own.
import type { Input, SettingsList } from "@earendil-works/pi-tui";

export interface HostTui {
  readonly SettingsList: typeof SettingsList;
  readonly Input: typeof Input;
}

const KEY = Symbol.for("pi-mend.host-tui");
const holder = globalThis as { [KEY]?: HostTui };

/** `undefined` where the entry did not load, as under a pi without the legacy names. */
export function hostTui(): HostTui | undefined {
  return holder[KEY];
}

/** One library for the process; a later one replaces it, as after a reload. */
export function shareHostTui(tui: HostTui): void {
  holder[KEY] = tui;
}
