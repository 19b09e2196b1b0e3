// What does a repair cost, and does it grow linearly with the errors?

import assert from "node:assert/strict";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { formatBounce, repairToolArguments } from "../dist/utils/tool-repair/index.js";
import { interleavedMedians } from "./interleaved.mjs";
import { batch, TOOLS } from "./tool-samples.mjs";

/** @returns costs of one repair and one bounce in bare checks, and in microseconds for the dated note */
export function repairCost(options) {
  const { parameters } = TOOLS.read;
  const validator = compile(parameters, { formats, unresolvedRefs: "reject" });
  const clean = batch((i) => ({ path: `f${i}`, offset: i }));
  const quoted = batch((i) => ({ path: `f${i}`, offset: String(i) }));
  const edits = batch((i) => ({ path: `f${i}`, edits: JSON.stringify([{ oldText: `a${i}`, newText: `b${i}` }]) }));
  const refused = batch((i) => ({ path: `f${i}`, offset: "many" }));
  assert.equal(repairToolArguments(TOOLS.read, quoted[0]).outcome, "repaired");
  assert.equal(repairToolArguments(TOOLS.edit, edits[0]).outcome, "repaired");
  assert.equal(repairToolArguments(TOOLS.read, refused[0]).outcome, "bounced");
  let seen = 0;
  const repair = (tool, calls) => () => {
    for (const args of calls) if (repairToolArguments(tool, args).outcome === "repaired") seen++;
  };
  const medians = interleavedMedians(
    {
      bare: () => {
        for (const args of clean) if (validator.check(args)) seen++;
      },
      number: repair(TOOLS.read, quoted),
      edits: repair(TOOLS.edit, edits),
      parse: () => {
        for (const args of edits) seen += JSON.parse(args.edits).length;
      },
      bounce: () => {
        for (const args of refused) seen += formatBounce(repairToolArguments(TOOLS.read, args), TOOLS.read).length;
      },
    },
    options,
  );
  assert.ok(seen > 0);
  return {
    repairOverBare: medians.number / medians.bare,
    repairMicros: medians.number,
    parseRepairMicros: medians.edits - medians.parse,
    bounceMicros: medians.bounce,
  };
}

/** @returns the cost of 1,000 errors over that of 100 */
export function errorGrowth(options) {
  const tool = {
    name: "list",
    parameters: {
      type: "object",
      required: ["rows"],
      properties: {
        rows: { type: "array", items: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } },
      },
    },
  };
  const rows = (count) => ({ rows: Array.from({ length: count }, (_, i) => ({ id: String(i) })) });
  const [few, many] = [rows(100), rows(1000)];
  for (const args of [few, many]) assert.equal(repairToolArguments(tool, args).outcome, "repaired");
  const medians = interleavedMedians(
    { few: () => repairToolArguments(tool, few), many: () => repairToolArguments(tool, many) },
    options,
  );
  return medians.many / medians.few;
}
