// The words of `/mend`: how a line is split and what it can go on with.
import { expect, test } from "vitest";
import { completions, splitWords } from "../../src/tui/command-words.ts";

const SOURCES = {
  models: async () => ["acme/large", "acme/small"],
  available: () => ["acme/small", "other/new"],
  modes: async (model: string) => (model === "acme/large" ? ["aliasRename", "jsonStringParse"] : []),
  settings: ["profile", "repair"],
  choices: (setting: string) => (setting === "repair" ? ["on", "off"] : ["names, with commas between", "*", "none"]),
};

test.each<[string, string, readonly string[] | null]>([
  ["every word", "", ["health", "rules", "forget", "last", "calibrate", "report", "doctor", "settings"]],
  ["a word's start", "re", ["report"]],
  ["models", "health ", ["health acme/large", "health acme/small"]],
  ["a part of a model's name", "rules LAR", ["rules acme/large"]],
  ["models that can be asked", "calibrate ", ["calibrate acme/small", "calibrate other/new"]],
  ["a model's modes", "forget acme/large ", ["forget acme/large aliasRename", "forget acme/large jsonStringParse"]],
  ["the modes of a model without rules", "forget acme/small ", null],
  ["settings", "settings re", ["settings repair"]],
  [
    "a setting's values, and the default",
    "settings repair ",
    ["settings repair on", "settings repair off", "settings repair default"],
  ],
  [
    "of a list of names only what is one",
    "settings textModels ",
    ["settings textModels *", "settings textModels none", "settings textModels default"],
  ],
  ["nothing behind a whole line", "health acme/large ", null],
  ["nothing behind a word that takes none", "last ", null],
  ["nothing for a word that is none", "xyz", null],
])("completes %s", async (_what, line, expected) => {
  const found = await completions(line, SOURCES);
  expect(found?.map(({ value }) => value) ?? null).toEqual(expected);
});

test.each([
  ["", []],
  ["  health   acme/large ", ["health", "acme/large"]],
  [`report "my report.html" 'a b'`, ["report", "my report.html", "a b"]],
])("splits %j", (line, words) => {
  expect(splitWords(line)).toEqual(words);
});
