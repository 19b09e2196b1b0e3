// What does a call that was right cost? Against one cached bare check, and against stock pi's validateToolArguments.

import assert from "node:assert/strict";
import { validateToolArguments as stockValidate } from "@earendil-works/pi-ai";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { builtinToolHints } from "../../coding-agent/src/core/tool-hints.ts";
import { repairToolArguments } from "../dist/utils/tool-repair/index.js";
import { interleavedMedians } from "./interleaved.mjs";
import { batch, CALLS, TOOLS } from "./tool-samples.mjs";

/**
 * One tool, one kind of caller; to be measured in a process of its own (see `apart.mjs`).
 *
 * @param {"read"|"bash"|"edit"} name
 * @param {"plain"|"hinted"} kind
 * @returns `{mendOverBare, stockOverMend, bareNs}`
 */
export function cleanPathRatios(name, kind, options) {
  const hints = kind === "hinted" ? builtinToolHints[name] : undefined;
  const tool = { ...TOOLS[name], hints };
  const calls = batch(CALLS[name]);
  const toolCalls = calls.map((args, i) => ({ type: "toolCall", id: `c${i}`, name, arguments: args }));
  const bare = cachedBareCheck();
  for (const args of calls) {
    assert.equal(repairToolArguments(tool, args).args, args);
    assert.equal(bare(tool.parameters, args), true);
  }
  let seen = 0;
  const medians = interleavedMedians(
    {
      bare: () => {
        for (const args of calls) if (bare(tool.parameters, args)) seen++;
      },
      mend: () => {
        for (const args of calls) if (repairToolArguments(tool, args).outcome === "clean") seen++;
      },
      stock: () => {
        for (const call of toolCalls) if (stockValidate(tool, call) !== undefined) seen++;
      },
    },
    options,
  );
  assert.ok(seen > 0);
  const { bare: bareMs, mend, stock } = medians;
  return { mendOverBare: mend / bareMs, stockOverMend: stock / mend, bareNs: bareMs * 1000 };
}

/** @returns the cost of a valid write of 200 kB over that of a small one */
export function sizeRatio(options) {
  const tool = TOOLS.write;
  // Few enough that both batches stay in the processor's cache: the question is the check, not the memory.
  const small = batch(CALLS.write, 20);
  const large = batch((i) => ({ path: `src/file-${i}.ts`, content: "x".repeat(200_000) }), 20);
  let seen = 0;
  const run = (calls) => () => {
    for (let i = 0; i < 50; i++)
      for (const args of calls) if (repairToolArguments(tool, args).outcome === "clean") seen++;
  };
  const medians = interleavedMedians({ small: run(small), large: run(large) }, options);
  assert.ok(seen > 0);
  return medians.large / medians.small;
}

/** @returns heap growth in bytes over a million clean calls; needs --expose-gc */
export function heapGrowth() {
  const calls = batch(CALLS.edit);
  const run = (times) => {
    let seen = 0;
    for (let i = 0; i < times; i++)
      for (const args of calls) if (repairToolArguments(TOOLS.edit, args).outcome === "clean") seen++;
    return seen;
  };
  run(20);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  assert.equal(run(1000), 1_000_000);
  globalThis.gc();
  return process.memoryUsage().heapUsed - before;
}

/** pi's own way to a validator: one WeakMap look-up, then the compiled check without coercion. */
function cachedBareCheck() {
  const cache = new WeakMap();
  return (schema, args) => {
    let validator = cache.get(schema);
    if (validator === undefined) {
      validator = compile(schema, { formats, unresolvedRefs: "reject" });
      cache.set(schema, validator);
    }
    return validator.check(args);
  };
}
