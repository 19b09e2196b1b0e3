import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { PROFILES, SWITCH_NAMES } from "../../src/settings/profiles.ts";
import { resolveSettings } from "../../src/settings/resolve-settings.ts";
import { setAsideSettings } from "../../src/settings/set-aside-settings.ts";
import {
  SETTING_NAMES,
  settingChoices,
  settingDescription,
  settingText,
  settingValue,
  writeSetting,
} from "../../src/settings/settings-store.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

interface Place {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly trusted?: boolean;
}

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

function resolved({ user, project, env = {}, trusted = true }: Place) {
  const folder = tempFolder();
  const full = { PI_CODING_AGENT_DIR: join(folder, "agent"), ...env };
  const cwd = join(folder, "work");
  const paths = memoryPaths(full, cwd);
  if (user !== undefined) write(join(folder, "agent", "pi-mend", "settings.json"), user);
  if (project !== undefined) write(paths.projectSettings, project);
  return resolveSettings({ env: full, cwd, trusted });
}

describe("without a file", () => {
  test("the adaptive profile holds", () => {
    const { settings, from, warnings } = resolved({});
    expect(settings).toEqual({
      ...PROFILES.adaptive,
      profile: "adaptive",
      enabled: true,
      log: false,
      passthrough: false,
    });
    expect(new Set(Object.values(from))).toEqual(new Set(["profile"]));
    expect(warnings).toEqual([]);
  });

  test("every profile has a value for every switch, and only recover lets text run", () => {
    for (const profile of Object.values(PROFILES)) expect(Object.keys(profile)).toEqual(SWITCH_NAMES);
    expect(PROFILES.conservative).toMatchObject({
      grammar: "observe",
      rules: false,
      textProtocol: false,
      recoverTools: [],
    });
    expect(PROFILES.adaptive).toMatchObject({ grammar: "strip", rules: true, textProtocol: false, recoverTools: [] });
    expect(PROFILES.recover).toMatchObject({ grammar: "recover", textProtocol: true, recoverTools: ["*"] });
  });
});

describe("precedence", () => {
  test("a switch: environment over project over user over profile", () => {
    const user = { teach: false, rules: false, markers: false, repair: false };
    const project = { teach: true, rules: true, grammar: "off" };
    const { settings, from } = resolved({ user, project, env: { PI_MEND_TEACH: "off" } });
    expect(settings).toMatchObject({
      teach: false,
      rules: true,
      markers: false,
      repair: false,
      grammar: "off",
      telemetry: true,
    });
    expect(from).toMatchObject({
      teach: "environment",
      rules: "project",
      markers: "user",
      grammar: "project",
      telemetry: "profile",
    });
  });

  test("the profile is chosen first, and a switch set anywhere outranks it", () => {
    const { settings, from } = resolved({
      user: { profile: "recover", grammar: "off" },
      project: { profile: "conservative" },
    });
    expect(settings).toMatchObject({
      profile: "conservative",
      grammar: "off",
      rules: false,
      unknownGrammar: "preserve",
    });
    expect(from).toMatchObject({ profile: "project", grammar: "user", rules: "profile" });
  });

  test("settings of a project that pi does not trust have no effect, whatever they say", () => {
    const { settings, warnings } = resolved({ project: { profile: "recover", repair: false }, trusted: false });
    expect(settings).toMatchObject({ profile: "adaptive", repair: true });
    expect(warnings).toEqual([]);
    expect(resolved({ project: "broken", trusted: false }).warnings).toEqual([]);
  });

  test.each(SWITCH_NAMES)("%s can be set by itself and changes nothing else", (name) => {
    const value = typeof PROFILES.adaptive[name] === "boolean" ? !PROFILES.adaptive[name] : PROFILES.recover[name];
    const other = name === "grammar" ? "off" : name === "unknownGrammar" ? "strip" : value;
    const { settings } = resolved({ user: { [name]: other } });
    const { profile: _p, enabled: _e, log: _l, passthrough: _s, ...switches } = settings;
    expect(switches).toEqual({ ...PROFILES.adaptive, [name]: other });
  });
});

describe("the environment", () => {
  test.each([
    ["PI_MEND", "enabled"],
    ["PI_MEND_REPAIR", "repair"],
    ["PI_MEND_TEACH", "teach"],
    ["PI_MEND_RULES", "rules"],
    ["PI_MEND_TELEMETRY", "telemetry"],
  ] as const)("%s=off turns %s off and nothing else", (variable, name) => {
    const { settings, warnings } = resolved({ env: { [variable]: "off" } });
    expect(settings).toEqual({ ...resolved({}).settings, [name]: false });
    expect(warnings).toEqual([]);
  });

  test("PI_MEND_PROTOCOL=off outranks a profile that has it on", () => {
    expect(resolved({ user: { profile: "recover" }, env: { PI_MEND_PROTOCOL: "off" } }).settings.textProtocol).toBe(
      false,
    );
  });

  test("PI_MEND_TELEMETRY=<path> says where the file is, and that there is one", () => {
    const { settings, paths } = resolved({ user: { telemetry: false }, env: { PI_MEND_TELEMETRY: "~/calls.jsonl" } });
    expect(settings.telemetry).toBe(true);
    expect(paths.telemetry).toBe(join(homedir(), "calls.jsonl"));
  });

  test("PI_MEND_LOG=1 and PI_MEND_PASSTHROUGH=1 are off unless they are set", () => {
    const env = { PI_MEND_LOG: "1", PI_MEND_PASSTHROUGH: "1" };
    expect(resolved({ env }).settings).toMatchObject({ log: true, passthrough: true });
    expect(resolved({}).settings).toMatchObject({ log: false, passthrough: false });
  });

  test("PI_MEND_SETTINGS=<path> stands in for the user's file; the project's still counts", () => {
    const file = join(tempFolder(), "mine.json");
    write(file, { teach: false, rules: false });
    const { settings, paths } = resolved({
      user: { markers: false },
      project: { rules: true },
      env: { PI_MEND_SETTINGS: file },
    });
    expect(settings).toMatchObject({ teach: false, rules: true, markers: true });
    expect(paths.settings).toBe(file);
  });

  test("a word that means nothing is said to have no effect", () => {
    const { settings, warnings } = resolved({ env: { PI_MEND_TEACH: "maybe" } });
    expect(settings.teach).toBe(true);
    expect(warnings).toEqual(["PI_MEND_TEACH is neither on nor off; it has no effect"]);
  });

  test.each(["PI_MEND", "PI_MEND_REPAIR", "PI_MEND_LOG"])("%s is no word that every object has", (name) => {
    for (const word of ["constructor", "__proto__"]) {
      const { settings, warnings } = resolved({ env: { [name]: word } });
      expect(settings).toMatchObject({ enabled: true, repair: true, log: false });
      expect(warnings).toEqual([`${name} is neither on nor off; it has no effect`]);
    }
  });
});

describe("a file that is not right", () => {
  test.each(["", "{", "[]", "null", '"x"', "\u0000"])("is ignored whole and stays where it is: %j", (text) => {
    const { settings, warnings, paths } = resolved({ user: text });
    expect(settings).toMatchObject(PROFILES.adaptive);
    expect(warnings).toHaveLength(1);
    expect(readdirSync(dirname(paths.settings))).toEqual(["settings.json"]);
  });

  test("loses the keys that are wrong or unknown and keeps the others; no value is repeated", () => {
    const user = { teach: "canary", grammar: "canary", recoverTools: ["read", 1], canaryKey: 1, rules: false };
    const { settings, warnings } = resolved({ user });
    expect(settings).toMatchObject({ ...PROFILES.adaptive, rules: false });
    expect(warnings).toHaveLength(4);
    expect(warnings.join("\n")).not.toContain("canary");
    const said = warnings.map((warning) => warning.slice(warning.indexOf(": ") + 2));
    expect(said).toEqual([
      '"teach" has a value it cannot have (only true or false); ignored',
      '"grammar" has a value it cannot have (only "off", "observe", "strip", "recover"); ignored',
      '"recoverTools" has a value it cannot have (only a list of texts); ignored',
      "key 4 in it is no setting; ignored",
    ]);
  });

  test("but begins with a byte order mark is right", () => {
    const { settings, warnings, paths } = resolved({ user: '\uFEFF{"rules":false}\r\n' });
    expect({ rules: settings.rules, warnings }).toEqual({ rules: false, warnings: [] });
    expect(setAsideSettings(paths, 0)).toEqual([]);
  });

  test("cannot reach a prototype", () => {
    const { settings } = resolved({ user: '{"__proto__":{"teach":false},"constructor":1,"rules":false}' });
    expect(settings).toMatchObject({ teach: true, rules: false });
  });
});

describe("writing a setting", () => {
  test("keeps the rest of the file, keys of later versions too, and takes a setting out again", async () => {
    const path = join(tempFolder(), "deep", "settings.json");
    expect((await writeSetting(path, "teach", false, 0)).ok).toBe(true);
    write(path, { teach: false, later: { a: 1 } });
    expect((await writeSetting(path, "profile", "recover", 0)).ok).toBe(true);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ teach: false, later: { a: 1 }, profile: "recover" });
    await writeSetting(path, "teach", undefined, 0);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ later: { a: 1 }, profile: "recover" });
    expect(readdirSync(dirname(path))).toEqual(["settings.json"]);
  });

  test("sets a broken file aside first", async () => {
    const folder = tempFolder();
    write(join(folder, "settings.json"), "{broken");
    expect((await writeSetting(join(folder, "settings.json"), "teach", false, 0)).ok).toBe(true);
    const aside = readdirSync(folder).find((name) => name.includes("broken-1970"))!;
    expect(readFileSync(join(folder, aside), "utf8")).toBe("{broken");
  });

  test("where nothing can be written says so", async () => {
    const folder = tempFolder();
    write(join(folder, "file"), "");
    expect(await writeSetting(join(folder, "file", "settings.json"), "teach", false, 0)).toEqual({
      ok: false,
      fault: "unwritable",
    });
  });
});

describe("settings as words", () => {
  test("every setting has choices and a description, and each choice is a value of it", () => {
    for (const name of SETTING_NAMES) {
      expect(settingDescription(name)).not.toBe("");
      for (const choice of settingChoices(name)) expect(settingValue(name, choice), `${name} ${choice}`).toBeDefined();
    }
  });

  test.each([
    ["teach", "off", false],
    ["teach", "true", true],
    ["teach", "yes", undefined],
    ["grammar", "strip", "strip"],
    ["grammar", "on", undefined],
    ["profile", "recover", "recover"],
    ["recoverTools", "read, ls", ["read", "ls"]],
    ["recoverTools", "none", []],
    ["recoverTools", "*", ["*"]],
  ] as const)("%s %s is %j", (name, text, value) => {
    expect(settingValue(name, text)).toEqual(value);
    if (value !== undefined) expect(settingValue(name, settingText(value))).toEqual(value);
  });
});
