// Holds a finished run to what the rows of the script claim for it: the verdict, pi's own session file, the words of a
// bounce, the recovery after it, the turns and the folder in the end. It reads evidence only and prints nothing.
import { CHORES } from "./chores.mjs";

/**
 * @param {Awaited<ReturnType<typeof import("./demo-run.mjs").demoRun>>} run
 * @param {"stock" | "mended"} side which of the claims of a chore to hold it to
 * @returns {string[]} the claims that the run did not bear out, as sentences; empty when all held
 */
export function brokenClaims(run, side) {
  if (run.trouble) return [`${side}: ${run.trouble}`];
  const broken = CHORES.flatMap((chore, index) => {
    const outcome = run.outcomes[index];
    const name = `${side}, row ${index + 1} (${chore.kind})`;
    if (outcome.verdict !== chore[side])
      return [`${name}: ${outcome.verdict}, not ${chore[side]}. ${outcome.answers.join(" | ").replace(/\s+/g, " ")}`];
    if (run.bouncedInPi[index] !== (outcome.verdict === "bounced"))
      return [`${name}: pi's session file says otherwise`];
    if (outcome.verdict !== "bounced") return [];
    const untaught =
      side === "mended" ? (chore.teaches ?? []).filter((word) => !outcome.answers[0].includes(word)) : [];
    return [
      ...untaught.map((word) => `${name}: the answer does not say "${word}"`),
      ...(outcome.recovered ? [] : [`${name}: the corrected call did not run right`]),
    ];
  });
  const bounced = CHORES.filter((chore) => chore[side] === "bounced").length;
  const turns = CHORES.length + bounced + 1;
  if (broken.length === 0 && run.turns !== turns) broken.push(`${side}: ${run.turns} turns, not ${turns}`);
  const owned = new Set(
    CHORES.flatMap((chore, index) => (chore[side] === "wrong" ? touchedBy(chore, run, index) : [])),
  );
  const strays = [...run.damaged, ...run.missing].filter((path) => !owned.has(path));
  broken.push(...strays.map((path) => `${side}: ${path} is not as meant in the end, and no row says so`));
  return broken;
}

// The files that a chore was to change, and those it did change.
function touchedBy(chore, run, index) {
  return [...Object.keys(chore.files ?? {}), ...run.outcomes[index].changes.keys()];
}
