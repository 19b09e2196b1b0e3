// The settings menu: pi's own settings list, filled from the settings that hold and written to the user's file. Opened by
// `/mend` in the terminal. Never writes what the user did not choose, nor waits for the disk before it draws again.
import type { Component, SettingItem, SettingsListTheme } from "@earendil-works/pi-tui";
import { DEFAULT_PROFILE, PROFILES } from "../settings/profiles.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import {
  SETTING_NAMES,
  type SettingName,
  settingChoices,
  settingDescription,
  settingText,
  settingValue,
  writeSetting,
} from "../settings/settings-store.ts";
import type { HostTui } from "./host-tui.ts";
import { plainLine } from "./plain-lines.ts";

/** The colours that the menu uses, of pi's theme. */
export interface MenuTheme {
  fg(color: "accent" | "muted" | "dim" | "warning", text: string): string;
  bold(text: string): string;
}

export interface MenuHost {
  readonly tui: HostTui;
  readonly theme: MenuTheme;
  readonly resolved: () => ResolvedSettings;
  /** Reads the settings again after a change. */
  readonly reload: () => ResolvedSettings;
  readonly redraw: () => void;
  readonly close: () => void;
  readonly now: () => number;
}

/** Rows shown at once. */
const MAX_ROWS = 12;
const DEFAULT = "default";

export class SettingsMenu {
  readonly #host: MenuHost;
  readonly #items: readonly SettingItem[];
  readonly #list: InstanceType<HostTui["SettingsList"]>;
  #writing: Promise<void> = Promise.resolve();
  #fault: string | undefined;
  readonly capturesViewportInput = true;

  constructor(host: MenuHost) {
    this.#host = host;
    const resolved = host.resolved();
    this.#items = SETTING_NAMES.map((name) => this.#filled({ id: name, label: name, currentValue: "" }, resolved));
    const change = (id: string, value: string) => this.#change(id as SettingName, value);
    const options = { enableSearch: true };
    this.#list = new host.tui.SettingsList(
      [...this.#items],
      MAX_ROWS,
      listTheme(host.theme),
      change,
      host.close,
      options,
    );
  }

  render(width: number): readonly string[] {
    const { theme, resolved } = this.#host;
    const title = theme.fg("accent", theme.bold(plainLine("pi-mend settings", width)));
    const file = theme.fg("dim", plainLine(resolved().paths.settings, width));
    const fault = this.#fault === undefined ? [] : [theme.fg("warning", plainLine(this.#fault, width))];
    return [title, file, "", ...this.#list.render(width), ...fault];
  }

  handleInput(data: string): void {
    this.#list.handleInput(data);
    this.#host.redraw();
  }

  handleMouse(event: Parameters<NonNullable<Component["handleMouse"]>>[0]) {
    return event.y < HEAD_LINES ? undefined : this.#list.handleMouse({ ...event, y: event.y - HEAD_LINES });
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  /** Resolves when every change made so far is on the disk, or has failed. */
  written(): Promise<void> {
    return this.#writing;
  }

  #filled(item: SettingItem, { settings, from }: ResolvedSettings): SettingItem {
    const name = item.id as SettingName;
    const normal = settingText(name === "profile" ? DEFAULT_PROFILE : PROFILES[settings.profile][name]);
    const standard = `${DEFAULT} (${normal})`;
    const isStandard = from[name] === "profile";
    const outranks = from[name] === "environment" || from[name] === "project";
    item.currentValue = isStandard ? standard : settingText(settings[name]);
    item.description =
      `${settingDescription(name)}. ${outranks ? `Set by the ${from[name]}, which outranks this menu.` : ""}`.trim();
    if (Array.isArray(settings[name])) item.submenu = (_current, done) => this.#listEditor(name, done);
    // The first press changes something: what the default already is comes last.
    else
      item.values = [standard, ...settingChoices(name).toSorted((a, b) => Number(a === normal) - Number(b === normal))];
    return item;
  }

  #change(name: SettingName, text: string): void {
    const isStandard = text === DEFAULT || text.startsWith(`${DEFAULT} (`);
    const value = isStandard ? undefined : settingValue(name, text);
    const { paths } = this.#host.resolved();
    this.#writing = this.#writing.then(async () => {
      const written = await writeSetting(paths.settings, name, value, this.#host.now()).catch(() => undefined);
      this.#fault = written?.ok
        ? undefined
        : `Not written: the file is ${written?.fault ?? "not one that can be changed"}`;
      const resolved = this.#host.reload();
      for (const item of this.#items) this.#filled(item, resolved);
      this.#host.redraw();
    });
  }

  /** A line to type the names in; an empty one means the default. */
  #listEditor(name: SettingName, done: (value?: string) => void): Component {
    const { tui, theme, resolved } = this.#host;
    const input = new tui.Input();
    const choices = settingChoices(name).join(" · ");
    let hint = `${choices} · empty for the default · Enter to save · Esc to go back`;
    if (resolved().from[name] !== "profile") input.setValue(settingText(resolved().settings[name]));
    input.focused = true;
    input.onEscape = () => done();
    input.onSubmit = (typed) => {
      const text = typed.trim() === "" ? DEFAULT : typed.trim();
      if (text === DEFAULT || settingValue(name, text) !== undefined) done(text);
      else hint = `Not understood; it is one of: ${choices}`;
    };
    return {
      render: (width) => [
        theme.fg("accent", plainLine(name, width)),
        ...input.render(width),
        "",
        theme.fg("dim", plainLine(hint, width)),
      ],
      handleInput: (data) => input.handleInput(data),
      invalidate: () => input.invalidate(),
    };
  }
}

/** Lines that the menu draws above the list. */
const HEAD_LINES = 3;

function listTheme(theme: MenuTheme): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? theme.fg("accent", text) : text),
    value: (text, selected) => theme.fg(selected ? "accent" : "muted", text),
    description: (text) => theme.fg("dim", text),
    cursor: theme.fg("accent", "→ "),
    hint: (text) => theme.fg("dim", text),
  };
}
