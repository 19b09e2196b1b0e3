// What does looking for leaked calls cost? The scan of 10 MB of ordinary prose and code (no marker) over one plain indexOf
// pass that finds nothing, and the growth of the time on hostile texts from n to 4n. `markupScanRatios()` hands the
// numbers to a gate.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const MEGABYTE = 1024 * 1024;
const TOOLS = ["read", "bash", "edit", "write", "grep", "find", "ls"].map((name) => ({ name, parameters: undefined }));

const PROSE = `The reader keeps a cursor and looks at one character at a time. When the value ends, the cursor stands
behind it, and what follows is looked at by the caller (see the notes on white space, and the list of limits below).
- a value that is cut is never completed, whatever stands before it
- a key that appears twice is a fault of the model, not of the reader

`;
const CODE = `export function extent(text: string, at: number): number {
  const closers: number[] = [];
  for (let next = at; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 34) next = stringEnd(text, next) ?? fail({ reason: "cut", at: next });
    else if (code === 123 || code === 91) closers.push(code + 2);
    else if (closers[closers.length - 1] === code) closers.pop();
  }
  return closers.length > 0 ? -1 : items.map((item) => item.size[0]).reduce((a, b) => a + b, 0);
}

`;
const PAGE = `<div class="row"><span>Total</span> <a href="/orders?page=2">next &gt;</a></div>
<ul id="list"><li data-id="1">one</li><li data-id="2">two</li></ul>
`;
/** A first chunk that no opener can be completed by, so that each repetition is one more attempt. */
const HOSTILE = {
  toolCall: "<tool_call>",
  toolCallObject: '<tool_call>{"name":"read","arguments":{"path":"',
  toolCallName: "<tool_call>read<arg_key>path</arg_key><arg_value>",
  functionTag: "<function=read><parameter=path>",
  invoke: '<invoke name="read"><parameter name="path">',
  dsml: '<｜DSML｜invoke name="read"><｜DSML｜parameter name="path" string="true">',
  kimi: "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{",
  mistral: '[TOOL_CALLS]read[ARGS]{"path":["',
  harmony: "<|start|>assistant<|channel|>commentary to=functions.read<|message|>{",
  gemma: '<|tool_call>call:read{path:<|"|>',
  python: "<|tool_call_start|>[read(path='",
  elements: ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="read">]<]minimax[>[<path>',
  piCall: '<pi:call name="read">{"path":"',
  bareObject: '\n{"name":"read","arguments":{"path":"',
  bareList: "\n[read(path=[[",
  think: "\n<think>\n</think>",
  backticks: "`` ` ```\n<tool_call>`\n",
  newlines: "\n \n<tool_call>",
};

function repeated(text, size) {
  return text.repeat(Math.ceil(size / text.length)).slice(0, size);
}

async function load(module) {
  try {
    return await import(`../dist/utils/tool-repair/grammars/${module}.js`);
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return await import(`../src/utils/tool-repair/grammars/${module}.ts`);
  }
}

function medians(subjects, rounds) {
  const times = subjects.map(() => []);
  let sink = 0;
  for (let round = -2; round < rounds; round++) {
    subjects.forEach((run, index) => {
      const start = performance.now();
      if (run() !== undefined) sink += 1;
      if (round >= 0) times[index].push(performance.now() - start);
    });
  }
  assert.equal(sink, subjects.length * (rounds + 2));
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

/**
 * `ordinary`: name → the scan's median over a plain indexOf pass of the same text. `hostile`: opener → the time of 4n over
 * the time of n (4 is linear). `megabytesPerSecond` and `hostileMilliseconds` (1 MB) are for a dated note, not for a gate.
 */
export async function markupScanRatios({ rounds = 9, size = 10 * MEGABYTE, hostileSize = MEGABYTE } = {}) {
  const { readLeakedCalls } = await load("read-leaked-calls");
  const result = { ordinary: {}, hostile: {}, megabytesPerSecond: {}, hostileMilliseconds: {} };
  const samples = { prose: repeated(PROSE, size), code: repeated(CODE, size), page: repeated(PAGE, size) };
  for (const [name, text] of Object.entries(samples)) {
    assert.equal(readLeakedCalls(text, TOOLS).text, text);
    const [scan, plain] = medians([() => readLeakedCalls(text, TOOLS), () => text.indexOf("\u0001")], rounds);
    result.ordinary[name] = scan / plain;
    result.megabytesPerSecond[name] = size / MEGABYTE / (scan / 1000);
  }
  for (const [name, chunk] of Object.entries(HOSTILE)) {
    const small = repeated(chunk, hostileSize / 4);
    const large = repeated(chunk, hostileSize);
    assert.equal(readLeakedCalls(large, TOOLS).calls.length, 0, name);
    const [one, four] = medians([() => readLeakedCalls(small, TOOLS), () => readLeakedCalls(large, TOOLS)], 5);
    result.hostile[name] = four / one;
    result.hostileMilliseconds[name] = four;
  }
  return result;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [question, byName] of Object.entries(await markupScanRatios())) {
    for (const [name, number] of Object.entries(byName))
      console.log(question.padEnd(20), name.padEnd(16), number.toFixed(2));
  }
}
