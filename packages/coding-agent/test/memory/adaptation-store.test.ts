import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPAIRS } from "@pi-mend/ai/tool-repair";
import { describe, expect, test } from "vitest";
import { AdaptationStore } from "../../src/memory/adaptation/adaptation-store.ts";
import { ruleSentence, rulesSection } from "../../src/memory/adaptation/rule-sentence.ts";
import { tempFolder } from "./support/temp-folder.ts";

const NOW = Date.UTC(2026, 1, 1);
const MODEL = "local/weak-7b";

function store(path: string, host?: string) {
  return new AdaptationStore({ path, now: () => NOW, ...(host && { host }) });
}

function firings(mode: string, count: number, session = "s") {
  return new Map([[MODEL, { session, calls: count, firings: new Map([[mode, count]]) }]]);
}

describe("forgetting", () => {
  test("takes the rule away at once and for good, for every process", async () => {
    const path = join(tempFolder(), "adaptation.json");
    await store(path).learn(firings("aliasRename", 3));
    expect(
      store(path)
        .rules(MODEL)
        .map((rule) => rule.mode),
    ).toEqual(["aliasRename"]);
    expect(await store(path).forget(MODEL, "aliasRename")).toEqual({ ok: true, value: ["aliasRename"] });
    expect(store(path).rules(MODEL)).toEqual([]);
    await store(path).learn(firings("aliasRename", 20, "later"));
    expect(store(path).rules(MODEL)).toEqual([]);
  });

  test("without a mode takes everything that the model has, and leaves other models alone", async () => {
    const path = join(tempFolder(), "adaptation.json");
    await store(path).learn(firings("aliasRename", 3));
    await store(path).learn(firings("boolFromString", 1));
    await store(path).learn(new Map([["b/c", { session: "s", calls: 3, firings: new Map([["aliasRename", 3]]) }]]));
    const forgotten = await store(path).forget(MODEL);
    expect(forgotten.ok && [...forgotten.value].sort()).toEqual(["aliasRename", "boolFromString"]);
    await store(path).learn(firings("boolFromString", 9, "later"));
    expect(store(path).rules(MODEL)).toEqual([]);
    expect(store(path).rules("b/c")).toHaveLength(1);
  });

  test("can be undone: the mode is then learned anew", async () => {
    const path = join(tempFolder(), "adaptation.json");
    await store(path).learn(firings("aliasRename", 3));
    await store(path).forget(MODEL);
    expect(await store(path).allow(MODEL, "aliasRename")).toEqual({ ok: true, value: ["aliasRename"] });
    await store(path).learn(firings("aliasRename", 2, "later"));
    expect(store(path).rules(MODEL)).toEqual([]);
    await store(path).learn(firings("aliasRename", 1, "later"));
    expect(store(path).rules(MODEL)).toHaveLength(1);
  });
});

test("hosts keep their memories apart, in one file", async () => {
  const path = join(tempFolder(), "adaptation.json");
  await store(path).learn(firings("aliasRename", 3));
  await store(path, "agent").learn(firings("boolFromString", 3));
  expect(
    store(path)
      .rules(MODEL)
      .map((rule) => rule.mode),
  ).toEqual(["aliasRename"]);
  expect(
    store(path, "agent")
      .rules(MODEL)
      .map((rule) => rule.mode),
  ).toEqual(["boolFromString"]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 1, hosts: { pi: {}, agent: {} } });
});

test("at most 200 models are kept, those seen last", async () => {
  const path = join(tempFolder(), "adaptation.json");
  let now = NOW;
  const one = new AdaptationStore({ path, now: () => now });
  for (let first = 0; first < 260; first += 20) {
    now += 1;
    const batch = { session: "s", calls: 1, firings: new Map([["aliasRename", 1]]) };
    await one.learn(new Map(Array.from({ length: 20 }, (_, n) => [`p/m${first + n}`, batch])));
  }
  const models = [...one.models().keys()];
  expect(models).toHaveLength(200);
  expect(models).not.toContain("p/m59");
  expect(models).toContain("p/m259");
});

describe("the sentence of a rule", () => {
  const repairs = REPAIRS.filter((entry) => !("bounces" in entry)).map((entry) => entry.name);

  test.each(repairs)("%s: one sentence, no place and no placeholder", (name) => {
    const text = ruleSentence(name)!;
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toMatch(/[{`]\w*path|\{expect|\{detail|→|undefined|\n/);
    expect(text.length).toBeLessThanOrEqual(200);
  });

  test("is there for every repair and for no bounce", () => {
    const bounces = REPAIRS.filter((entry) => "bounces" in entry).map((entry) => entry.name);
    expect(bounces.map(ruleSentence)).toEqual(bounces.map(() => undefined));
    expect(ruleSentence("rawArgumentsRead")).toBe("Send the arguments as one strict JSON object.");
  });

  test("stands in a section that is the same for the same rules", () => {
    const modes = ["numberFromString", "aliasRename"];
    expect(rulesSection(modes)).toBe(
      [
        "When you call tools:",
        "- Send a bare JSON number; in earlier calls a value was a quoted number.",
        "- Use this tool's field names; in earlier calls a key was another tool's field name.",
      ].join("\n"),
    );
    expect(rulesSection(modes)).toBe(rulesSection([...modes]));
    expect(rulesSection([])).toBeUndefined();
    expect(rulesSection(["unknown"])).toBeUndefined();
  });
});
