// The settings menu on pi's own list: keys in, files and lines out.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Input, SettingsList, visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { resolveSettings } from "../../src/settings/resolve-settings.ts";
import { SettingsMenu } from "../../src/tui/settings-menu.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const ESCAPE = "\u001b";

function menu(file?: object, more: Readonly<Record<string, string>> = {}) {
  const home = tempFolder();
  const place = { env: { PI_CODING_AGENT_DIR: home, ...more }, cwd: home, trusted: false };
  const path = join(home, "pi-mend", "settings.json");
  if (file !== undefined) {
    mkdirSync(dirname(path));
    writeFileSync(path, JSON.stringify(file));
  }
  let closed = false;
  const made = new SettingsMenu({
    tui: { Input, SettingsList },
    theme: { fg: (_color, text) => text, bold: (text) => text },
    resolved: () => resolveSettings(place),
    reload: () => resolveSettings(place),
    redraw: () => {},
    close: () => {
      closed = true;
    },
    now: Date.now,
  });
  return {
    menu: made,
    isClosed: () => closed,
    lines: () => made.render(80).map((line) => stripVTControlCharacters(line).trimEnd()),
    press: async (...keys: readonly string[]) => {
      for (const key of keys) {
        made.handleInput(key);
        await made.written();
      }
    },
    saved: () => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined),
  };
}

const shownValue = (lines: readonly string[], name: string) =>
  lines.map((line) => new RegExp(`^(?:→ | {2})${name} +(.*)$`).exec(line)?.[1]).find((value) => value !== undefined);

test("it shows every setting with the value that holds, and writes nothing by itself", async () => {
  const { lines, saved } = menu({ grammar: "off" });
  expect(shownValue(lines(), "grammar")).toBe("off");
  expect(shownValue(lines(), "profile")).toBe("default (adaptive)");
  expect(shownValue(lines(), "recoverTools")).toBe("default (none)");
  expect(lines().filter((line) => /^(?:→ | {2})\w+ {2,}\S/.test(line))).toHaveLength(12);
  expect(saved()).toEqual({ grammar: "off" });
});

test("one press turns a switch, and pressing on comes back to the default", async () => {
  const { press, saved, lines } = menu();
  await press(DOWN, ENTER);
  expect(saved()).toEqual({ repair: false });
  expect(shownValue(lines(), "repair")).toBe("off");
  await press(ENTER);
  expect(saved()).toEqual({ repair: true });
  await press(" ");
  expect(saved()).toEqual({});
  expect(shownValue(lines(), "repair")).toBe("default (on)");
});

test("another profile changes the defaults of the rest", async () => {
  const { press, saved, lines } = menu();
  await press(ENTER, ENTER);
  expect(saved()).toEqual({ profile: "recover" });
  expect(shownValue(lines(), "grammar")).toBe("default (recover)");
});

test("typing searches, and the setting found is the one that changes", async () => {
  const { press, saved, lines } = menu({ later: 1 });
  await press(..."markers");
  expect(shownValue(lines(), "profile")).toBeUndefined();
  await press(ENTER);
  expect(saved()).toEqual({ later: 1, markers: false });
});

test("every list of names is typed, and a name may begin with the word for the default", async () => {
  const { press, saved, lines } = menu();
  await press(..."textModels", ENTER);
  expect(saved()).toBeUndefined();
  await press(..."default/weak-7b,local/other", ENTER);
  expect(saved()).toEqual({ textModels: ["default/weak-7b", "local/other"] });
  expect(shownValue(lines(), "textModels")).toBe("default/weak-7b,local/other");
});

test("names are typed into a line; what is no list of names is not taken", async () => {
  const { press, saved, lines } = menu();
  await press(..."recoverTools", ENTER, ...`${"x".repeat(70)}`, ENTER);
  expect(saved()).toBeUndefined();
  expect(lines().at(-1)).toContain("Not understood");
  await press(ESCAPE, ENTER, ..."read, bash", ENTER);
  expect(saved()).toEqual({ recoverTools: ["read", "bash"] });
  expect(shownValue(lines(), "recoverTools")).toBe("read,bash");
});

test("a setting of the environment says so and keeps its value", async () => {
  const { press, lines } = menu(undefined, { PI_MEND_TEACH: "off" });
  await press(DOWN, DOWN);
  expect(lines().join(" ").replaceAll(/\s+/g, " ")).toContain("Set by the environment, which outranks this menu.");
  await press(ENTER);
  expect(shownValue(lines(), "teach")).toBe("off");
});

test("a file that cannot be written is said, and the value stays", async () => {
  const home = tempFolder();
  writeFileSync(join(home, "file"), "");
  const { press, lines } = menu(undefined, { PI_MEND_SETTINGS: join(home, "file", "settings.json") });
  await press(DOWN, ENTER);
  expect(lines().at(-1)).toMatch(/^Not written/);
  expect(shownValue(lines(), "repair")).toBe("default (on)");
});

test("escape closes it, and no line is wider than the terminal", async () => {
  const { press, isClosed, menu: made } = menu();
  for (const width of [20, 40, 120]) {
    for (const line of made.render(width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  }
  expect(isClosed()).toBe(false);
  await press(ESCAPE);
  expect(isClosed()).toBe(true);
});
