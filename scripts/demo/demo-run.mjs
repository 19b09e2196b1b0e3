// One side of the demo: the real pi, in a temporary home and work folder, against the scripted weak model. Used once
// without and once with pi-mend. It leaves nothing behind: folder and server are gone when it returns.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SEED } from "./chore.mjs";
import { CHORES } from "./chores.mjs";
import { runPi } from "./run-pi.mjs";
import { startScriptedServer } from "./scripted-server.mjs";
import { same, weakModel } from "./weak-model.mjs";
import { fillFolder, readFolder } from "./work-folder.mjs";

const TICKET_TOOL = join(import.meta.dirname, "ticket-tool.mjs");

/**
 * @param {readonly string[]} extensions loaded beside the ticket tool
 * @returns {Promise<{
 *   outcomes: import("./weak-model.mjs").Outcome[],
 *   bouncedInPi: boolean[], turns: number, damaged: string[], missing: string[], trouble: string | undefined,
 * }>} `bouncedInPi`: per outcome, whether pi's own session file marks every result of the turn as an error.
 *   `damaged`: files at the end that nobody asked for or whose text is not what was asked for. `missing`: files that were
 *   asked for and are not there. `trouble`: why the run as a whole cannot be trusted.
 */
export async function demoRun(extensions) {
  const root = mkdtempSync(join(tmpdir(), "pi-mend-demo-"));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  fillFolder(cwd, SEED);
  const model = weakModel(CHORES, cwd);
  const server = await startScriptedServer(model.turns);
  try {
    const prompt = "Do the chores of the shop.";
    const run = {
      home: join(root, "home"),
      cwd,
      serverUrl: server.url,
      extensions: [TICKET_TOOL, ...extensions],
      prompt,
    };
    const pi = await runPi({ ...run, timeoutMs: 20_000 });
    const errors = pi.sessionFile ? errorsByTurn(pi.sessionFile) : [];
    const end = readFolder(cwd);
    const meant = meantFolder();
    return {
      outcomes: model.outcomes,
      bouncedInPi: model.outcomes.map(({ turn }) => errors[turn]?.length > 0 && errors[turn].every(Boolean)),
      turns: server.requests.length,
      damaged: [...end].filter(([path, text]) => !same(path, text, meant[path] ?? null)).map(([path]) => path),
      missing: Object.keys(meant).filter((path) => !end.has(path)),
      trouble: troubleOf(pi, model.outcomes.length),
    };
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The folder as it should be in the end, had every call run as it was meant. */
function meantFolder() {
  const files = Object.assign({}, SEED, ...CHORES.map((chore) => chore.files ?? {}));
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== null));
}

/** Per assistant message of a session file that made calls: the error marks of the results that follow it. */
function errorsByTurn(sessionFile) {
  const turns = [];
  for (const line of readFileSync(sessionFile, "utf8").split("\n")) {
    const message = line ? JSON.parse(line).message : undefined;
    if (message?.role === "assistant") turns.push([]);
    else if (message?.role === "toolResult") turns.at(-1)?.push(message.isError);
  }
  return turns;
}

function troubleOf(pi, seen) {
  if (pi.code === null) return "pi did not finish in time";
  if (pi.code !== 0) return `pi ended with code ${pi.code}: ${pi.stderr.trim().slice(-400)}`;
  if (!pi.sessionFile) return "pi left no session file";
  if (seen < CHORES.length)
    return `pi stopped after ${seen} of ${CHORES.length} chores: ${pi.stdout.trim().slice(-400)}`;
  return undefined;
}
