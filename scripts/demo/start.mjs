// What `npm start` does after the build. Without arguments it runs the real pi twice against a scripted weak model,
// without and with pi-mend, prints what each did, and ends with code 1 when that differs from what the table claims. With
// arguments it starts pi as the user has it, with pi-mend loaded and all arguments passed on.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { CHORES } from "./chores.mjs";
import { brokenClaims } from "./claims.mjs";
import { demoRun } from "./demo-run.mjs";
import { firstBounce, painter, table, totals } from "./report.mjs";
import { NODE, PI_CLI } from "./run-pi.mjs";

const PACKAGE = join(import.meta.dirname, "..", "..", "packages", "coding-agent");

const args = process.argv.slice(2);
process.exitCode = args.length > 0 ? await startPi(args) : await demo();

/** Starts pi on this terminal, in the folder that npm was called from; returns its exit code. */
function startPi(passed) {
  const cwd = env.INIT_CWD ?? process.cwd();
  const child = spawn(NODE, [PI_CLI, "-e", PACKAGE, ...passed], { cwd, stdio: "inherit" });
  // The terminal sends Ctrl-C to both; pi decides what it means.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`pi could not be started: ${error.message}`);
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** Runs both sides and prints them; returns 0 only when every claim held. */
async function demo() {
  if (!existsSync(join(PACKAGE, "dist", "index.js"))) {
    console.error("packages/coding-agent/dist/index.js is missing: run `npm run build` first.");
    return 1;
  }
  const paint = painter(process.stdout.isTTY === true && env.NO_COLOR === undefined);
  console.log(
    `pi ${await piVersion()} and one scripted weak model, ${CHORES.length} chores. Two runs, each in a fresh folder.\n`,
  );
  const [stock, mended] = [await demoRun([]), await demoRun([PACKAGE])];
  const sides = [
    { title: "pi alone", ...stock },
    { title: "pi with pi-mend", ...mended },
  ];
  console.log(table(CHORES, sides, paint));
  console.log(`\n${firstBounce(sides[1])}`);
  console.log(`\n${totals(totalLines(sides), paint)}\n`);

  const broken = [...brokenClaims(stock, "stock"), ...brokenClaims(mended, "mended")];
  for (const claim of broken) console.log(paint("wrong", `not as claimed: ${claim}`));
  if (broken.length === 0) console.log("Every row is what was claimed for it.");
  return broken.length === 0 ? 0 : 1;
}

function totalLines(sides) {
  const count = (test) => sides.map((side) => side.outcomes.filter(test).length);
  return [
    ["chores that ran right at once", ...count((outcome) => outcome.verdict === "right")],
    ["chores bounced, then sent again", ...count((outcome) => outcome.verdict === "bounced")],
    ["chores that ran wrong, unnoticed", ...count((outcome) => outcome.verdict === "wrong")],
    ["files damaged", ...sides.map((side) => side.damaged.length)],
    ["files missing", ...sides.map((side) => side.missing.length)],
    ["turns used", ...sides.map((side) => side.turns)],
  ];
}

/** pi's version as it says it itself. */
function piVersion() {
  const child = spawn(NODE, [PI_CLI, "--version"], { stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    child.once("error", () => resolve("?"));
    child.once("close", () => resolve(text.trim()));
  });
}
