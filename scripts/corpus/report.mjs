// Counts and prints the verdicts of one case file.

/**
 * @param {{id: string, uncertain: boolean, verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}[]} verdicts
 * @returns counts per certainty and the ids that are not right
 */
export function summarize(verdicts) {
  const scored = verdicts.filter((v) => v.verdict !== "unscored");
  const side = (uncertain) => {
    const own = scored.filter((v) => v.uncertain === uncertain);
    const count = (verdict) => own.filter((v) => v.verdict === verdict).length;
    return { total: own.length, right: count("right"), wrong: count("wrong"), needless: count("needless") };
  };
  const outcomes = {};
  for (const { outcome } of verdicts) if (outcome !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const failing = scored.filter((v) => v.verdict !== "right");
  return { certain: side(false), uncertain: side(true), unscored: verdicts.length - scored.length, outcomes, failing };
}

export function printReport({ file, certain, uncertain, unscored, outcomes, failing }) {
  console.log(file);
  console.log("             cases  right  executed wrongly  bounced needlessly");
  for (const [name, side] of [
    ["certain", certain],
    ["uncertain", uncertain],
  ]) {
    const cells = [side.total, side.right, side.wrong, side.needless];
    console.log(`  ${name.padEnd(9)}${[8, 7, 18, 20].map((width, i) => String(cells[i]).padStart(width)).join("")}`);
  }
  if (unscored > 0) console.log(`  not scored here: ${unscored}`);
  for (const [outcome, count] of Object.entries(outcomes)) console.log(`  ${outcome}: ${count}`);
  for (const { id, uncertain: isUncertain, verdict, detail } of failing) {
    const word = verdict === "wrong" ? "executed wrongly" : "bounced needlessly";
    console.log(`  ${isUncertain ? "(uncertain) " : ""}${id}: ${word}${detail === undefined ? "" : ` ${detail}`}`);
  }
}
