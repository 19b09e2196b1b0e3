// Every command of the pages runs as it stands there: those of users in a home of their own, page by page and in order, with a
// model and a registry on the loopback; those of contributors in a copy of the repository. What is run elsewhere is named.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { type LocalRegistry, startLocalRegistry } from "./support/local-registry.ts";
import { fencedBlocks, PAGES, ROOT, readPage } from "./support/pages.ts";
import { repositoryCopy } from "./support/repository-copy.ts";
import { runShell, type ShellRun } from "./support/run-shell.ts";
import { type UsersPlace, usersPlace } from "./support/users-place.ts";

const { startScriptedServer } = await import(
  new URL("../../../../scripts/demo/scripted-server.mjs", import.meta.url).href
);

/** Commands that a list of steps runs, by that list. */
const STEPS: Readonly<Record<string, string>> = {
  "npm ci": ".ci/run",
  "npm test": ".ci/run",
  "npm run check": ".ci/run",
  "npm run bench:gate": ".ci/run",
  "npm run smoke": ".ci/run",
  "npm run drift-matrix": ".github/workflows/drift.yml",
};

/** Commands that nothing runs as they stand, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm run bench": "measures for minutes and judges nothing; the gate takes the same measurements, see below",
};

/** What a page leaves open, or does on a larger scale than a test. */
const INSTEAD: Readonly<Record<string, string>> = {
  "FILE…": "cases/calls.jsonl",
  "--cases 20000": "--cases 200",
};

interface PageCommand {
  readonly page: string;
  readonly command: string;
}

const COMMANDS: readonly PageCommand[] = PAGES.flatMap((page) =>
  fencedBlocks(readPage(page), ["bash", "sh", "console"]).flatMap(({ text }) =>
    text
      .split("\n")
      .map((line) => line.replace(/\s+# .*$/, "").trim())
      .filter((line) => line !== "")
      // Steps that are joined are looked up one by one.
      .flatMap((line) => (line.startsWith("npm ") ? line.split(" && ") : [line]))
      .map((command) => ({ page, command })),
  ),
);
const isOfContributors = ({ command }: PageCommand) => /^(?:npm|node) /.test(command);
const isRunElsewhere = ({ command }: PageCommand) => command in STEPS || command in NOT_RUN;
const CONTRIBUTORS = COMMANDS.filter((one) => isOfContributors(one) && !isRunElsewhere(one));
const USERS = COMMANDS.filter((one) => !isOfContributors(one));

/** What a command is to have done, where its output does not say it. */
const EFFECTS: Readonly<Record<string, (place: UsersPlace, run: ShellRun) => void>> = {
  "pi install npm:pi-mend": ({ agent }) => {
    expect(readFileSync(join(agent, "settings.json"), "utf8")).toContain("npm:pi-mend");
    expect(existsSync(join(agent, "npm/node_modules/pi-mend/dist/index.js"))).toBe(true);
  },
  "pi list": (_place, { out }) => expect(out).toContain("npm:pi-mend"),
  "pi remove npm:pi-mend": ({ agent }) =>
    expect(readFileSync(join(agent, "settings.json"), "utf8")).not.toContain("npm:pi-mend"),
  'pi -e npm:pi-mend -p "What is in this folder?"': ({ agent }) => expect(recorded(agent)).toContain(SCRIPTED),
  'PI_MEND=off pi -p "What is in this folder?"': ({ agent }) => expect(recorded(agent)).not.toContain(SCRIPTED),
  'PI_MEND_LOG=1 PI_MEND_TELEMETRY=calls.jsonl pi -p "What is in this folder?"': ({ work }, { err }) => {
    expect(err).toContain("pi-mend repaired scripted/scripted read aliasRename");
    expect(readFileSync(join(work, "calls.jsonl"), "utf8")).toContain('"modes":["aliasRename"]');
  },
  "PI_MEND_SETTINGS=try.json pi-mend settings grammar observe": ({ work }) =>
    expect(JSON.parse(readFileSync(join(work, "try.json"), "utf8"))).toEqual({ grammar: "observe" }),
  "rm -r ~/.pi/agent/pi-mend": ({ agent }) => expect(existsSync(join(agent, "pi-mend"))).toBe(false),
  "pi-mend report health.html": ({ work }) =>
    expect(readFileSync(join(work, "health.html"), "utf8")).toContain("local/weak-7b"),
  "pi-mend forget local/weak-7b": (_place, { out }) => expect(out).toContain("aliasRename"),
  "pi-mend forget local/weak-7b --undo": (_place, { out }) =>
    expect(out).toContain("may be learned again: aliasRename"),
  "pi-mend replay sessions --tool edit --fixtures rows": ({ work }) =>
    expect(existsSync(join(work, "rows"))).toBe(true),
  "pi-mend replay fleet/*/failures*.jsonl": (_place, { out }) => expect(out).toContain("local/weak-7b"),
};
const SCRIPTED = '"model":"scripted"';
const recorded = (agent: string) => readFileSync(join(agent, "pi-mend", "telemetry.jsonl"), "utf8");

/** Offline pi asks no registry, not even this one; what is not on the loopback then goes to a proxy that is not there. */
function online({ PI_OFFLINE: _offline, ...env }: UsersPlace["env"]): UsersPlace["env"] {
  const nowhere = "http://127.0.0.1:9";
  return { ...env, HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: "127.0.0.1", npm_config_noproxy: "127.0.0.1" };
}

/** They say nothing when all went well. */
const SILENT = /^(?:rm|mkdir) /;

let registry: LocalRegistry;
let model: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  registry = await startLocalRegistry(tempFolder());
  // Reads a file under another harness's name for the field, then is done.
  const turn = ({ messages }: { messages: readonly { role: string }[] }) =>
    messages.at(-1)?.role === "tool"
      ? { text: "There is notes.txt." }
      : { calls: [{ id: "c1", name: "read", arguments: '{"file_path":"notes.txt"}' }] };
  model = await startScriptedServer(Array.from({ length: 50 }, () => turn));
}, 60_000);
afterAll(async () => {
  await model.close();
  await registry.close();
});

describe.each([...new Set(USERS.map(({ page }) => page))])("%s", (page) => {
  const commands = USERS.filter((one) => one.page === page);
  const installs = commands.some(({ command }) => command.startsWith("pi install"));
  let place: UsersPlace;
  beforeAll(async () => {
    place = await usersPlace({ model: model.url, registry: registry.url }, !installs);
  }, 60_000);

  test.each(commands)(
    "$command",
    async ({ command }) => {
      const run = await runShell(command, place.work, command.includes("-e npm:") ? online(place.env) : place.env);
      expect(run, run.err).toMatchObject({ code: 0 });
      if (!SILENT.test(command)) expect(run.out.trim().length).toBeGreaterThan(10);
      EFFECTS[command]?.(place, run);
    },
    240_000,
  );
});

describe("a copy of the repository", () => {
  let copy: ReturnType<typeof repositoryCopy>;
  beforeAll(() => {
    copy = repositoryCopy();
  }, 60_000);

  test.each(CONTRIBUTORS)(
    "$page: $command",
    async ({ command }) => {
      const line = Object.entries(INSTEAD).reduce((text, [from, to]) => text.replace(from, to), command);
      const run = await runShell(line, copy.folder, copy.env);
      expect(run, `${run.out}\n${run.err}`).toMatchObject({ code: 0 });
    },
    240_000,
  );
});

test("each command that is run elsewhere is a step there, and a script of the repository", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const [command, list] of Object.entries(STEPS)) {
    const words = command.replace("npm run ", "npm run (?:-s )?");
    expect(readFileSync(join(ROOT, list), "utf8"), command).toMatch(new RegExp(`^(?: *- run: )?${words}$`, "m"));
  }
  for (const command of [...Object.keys(STEPS), ...Object.keys(NOT_RUN)]) {
    const [, script] = /^npm (?:run )?(\S+)$/.exec(command) ?? [];
    if (script !== "ci") expect(scripts, command).toHaveProperty([script!]);
  }
});

test("the gate takes the measurements of `npm run bench`", () => {
  const measured = (file: string) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/apart\("([^"]+)", "([^"]+)"/g)].map(
      ([, from, name]) => `${from} ${name}`,
    );
  const all = measured("packages/ai/bench/all.mjs");
  expect(all.length).toBeGreaterThan(4);
  expect(measured("scripts/bench-gate.mjs")).toEqual(expect.arrayContaining(all));
});

test("no list here names what no page has", () => {
  const named = COMMANDS.map(({ command }) => command);
  expect(named.length).toBeGreaterThan(40);
  for (const command of [...Object.keys(STEPS), ...Object.keys(NOT_RUN), ...Object.keys(EFFECTS)]) {
    expect(named).toContain(command);
  }
  for (const text of Object.keys(INSTEAD))
    expect(
      named.some((command) => command.includes(text)),
      text,
    ).toBe(true);
});
