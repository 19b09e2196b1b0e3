// Scores case files through the public API: npm run corpus -- FILE… [--json] [--min PERCENT]
// Per file: right / executed wrongly / bounced needlessly, certain and uncertain cases apart. Exits 1 when a certain case
// is executed wrongly, or when fewer than --min percent (default 100) of the certain ones are right.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { scoreCall } from "./corpus/calls.mjs";
import { scoreMisc } from "./corpus/misc.mjs";
import { printReport, summarize } from "./corpus/report.mjs";
import { isSession, scoreSession } from "./corpus/sessions.mjs";
import { scoreStream } from "./corpus/streams.mjs";
import { scoreText } from "./corpus/texts.mjs";

/** How each kind of case file is scored, by file name; a pi session is known by its first line. */
const SCORERS = {
  calls: scoreCall,
  streams: scoreStream,
  misc: scoreMisc,
  texts: scoreText,
  "engine-texts": scoreText,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, min: { type: "string", default: "100" } },
});

if (positionals.length === 0) {
  console.error("usage: npm run corpus -- FILE… [--json] [--min PERCENT]");
  process.exit(2);
}

const reports = [];
for (const file of positionals) {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const verdicts = isSession(rows) ? scoreSession(rows) : await scoreRows(file, rows);
  reports.push({ file, ...summarize(verdicts) });
}

if (values.json) console.log(JSON.stringify(reports, null, 2));
else for (const report of reports) printReport(report);

const min = Number(values.min);
const failed = reports.some(
  ({ certain }) => certain.wrong > 0 || (certain.right / Math.max(1, certain.total)) * 100 < min,
);
process.exit(failed ? 1 : 0);

async function scoreRows(file, rows) {
  const kind = basename(file).replace(/\.jsonl$/, "");
  const score = SCORERS[kind];
  if (score === undefined) {
    console.error(`${file}: no scorer for "${kind}" (known: ${Object.keys(SCORERS).join(", ")}, pi sessions)`);
    process.exit(2);
  }
  const verdicts = [];
  for (const row of rows) verdicts.push({ id: row.id, uncertain: row.uncertain === true, ...(await score(row)) });
  return verdicts;
}
