// How fast is the reader of raw arguments? Its time on 1 MB texts over JSON.parse (valid text) and over jsonrepair.
// Ratios of interleaved medians, correctness asserted first. `readerRatios()` hands the numbers to a gate.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { jsonrepair } from "jsonrepair";

const MEGABYTE = 1024 * 1024;

function grow(item, join, open, close) {
  const parts = [];
  for (let size = 0, i = 0; size < MEGABYTE; i++) {
    const part = item(i);
    parts.push(part);
    size += part.length + join.length;
  }
  return open + parts.join(join) + close;
}

const line = (i) => `  const value${i} = read("file-${i}.ts", { limit: ${i} });\n`;
const content = JSON.stringify({ path: "src/a.ts", content: grow(line, "", "", "") });
const members = grow((i) => `{"path":"src/file-${i}.ts","offset":${i},"limit":20,"all":true}`, ",", '{"edits":[', "]}");
const words = grow((i) => `"word ${i}"`, ", ", '{"tags": [', "]}");

const VALID = { content, members, words };
const BROKEN = {
  content: content.replaceAll("\\n", "\n"),
  members: members.replaceAll('"path"', "path").replaceAll("true", "True"),
  words: words.replaceAll('"', "'"),
  trailing: `${members.slice(0, -2)},]}`,
};

/** Median milliseconds of each subject, run by turns so that a slow moment of the machine hits all of them. */
function medians(subjects, rounds) {
  const times = subjects.map(() => []);
  let sink = 0;
  for (let round = -3; round < rounds; round++) {
    subjects.forEach((run, i) => {
      const start = performance.now();
      if (run() !== undefined) sink += 1;
      if (round >= 0) times[i].push(performance.now() - start);
    });
  }
  assert.equal(sink, subjects.length * (rounds + 3));
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

/** The built reader, or the sources where nothing is built (a Node that strips types). */
async function loadReader() {
  try {
    return await import("../dist/utils/tool-repair/read-raw-arguments.js");
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return await import("../src/utils/tool-repair/read-raw-arguments.ts");
  }
}

/**
 * Ratios, each the reader's median over the other's: `validOverParse` (target ≤ 4) and `validOverRepair`,
 * `brokenOverRepair` (target < 1), keyed by sample.
 */
export async function readerRatios({ rounds = 15 } = {}) {
  const { readRawArguments } = await loadReader();
  const ratios = { validOverParse: {}, validOverRepair: {}, brokenOverRepair: {} };
  for (const [name, text] of Object.entries(VALID)) {
    const result = readRawArguments(text);
    assert.deepEqual(result, { ok: true, value: JSON.parse(text), forgiven: [] });
    const subjects = [() => readRawArguments(text), () => JSON.parse(text), () => JSON.parse(jsonrepair(text))];
    const [ours, parse, repair] = medians(subjects, rounds);
    ratios.validOverParse[name] = ours / parse;
    ratios.validOverRepair[name] = ours / repair;
  }
  for (const [name, text] of Object.entries(BROKEN)) {
    const result = readRawArguments(text);
    assert.ok(result.ok && result.forgiven.length > 0, name);
    assert.deepEqual(result.value, JSON.parse(VALID[name] ?? members), name);
    const [ours, repair] = medians([() => readRawArguments(text), () => JSON.parse(jsonrepair(text))], rounds);
    ratios.brokenOverRepair[name] = ours / repair;
  }
  return ratios;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [question, byName] of Object.entries(await readerRatios())) {
    for (const [name, ratio] of Object.entries(byName))
      console.log(question.padEnd(18), name.padEnd(10), ratio.toFixed(3));
  }
}
