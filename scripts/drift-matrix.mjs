// Runs the drift suites, `pi-mend doctor` and one real session with the built package against the newest pi versions of the
// registry, one per minor version, each in a temporary folder: `npm run drift-matrix [-- --minors N] [--json]`. Prints a
// table; fails where pi did not finish its session, a supported pi was not mended, or another one was not left alone.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { NODE } from "./demo/run-pi.mjs";
import { startScriptedServer } from "./demo/scripted-server.mjs";

const ROOT = dirname(import.meta.dirname);
const PACKAGE = join(ROOT, "packages/coding-agent");
const PI = "@earendil-works/pi-coding-agent";
const SUITES = ["coding-agent", "agent", "ai"];
const env = { ...process.env, PI_OFFLINE: "1", PI_TELEMETRY: "0" };

const { values } = parseArgs({ options: { minors: { type: "string", default: "6" }, json: { type: "boolean" } } });

/** Never rejects: what ended badly is `ok: false`. */
const run = (command, args, options) =>
  new Promise((done) => {
    const child = execFile(
      command,
      args,
      { env, maxBuffer: 1 << 26, timeout: 600_000, ...options },
      (error, out, err) => done({ ok: !error, out, err }),
    );
    child.stdin?.end();
  });

const PINNED = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).devDependencies[PI];

/** Newest first; within a minor version as well. */
function published() {
  const versions = JSON.parse(
    execFileSync("npm", ["view", PI, "versions", "--json"], { cwd: tmpdir(), encoding: "utf8" }),
  );
  const parts = (version) => version.split(/[.-]/).map(Number);
  const stable = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  return stable.sort((a, b) => parts(b).reduce((sum, part, at) => sum || part - parts(a)[at], 0));
}

async function install(folder, version) {
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const tools = ["vitest", "vite", "typebox", "@sinclair/typebox"].map((name) => `${name}@${devDependencies[name]}`);
  const npm = (...names) =>
    run("npm", ["install", "-E", "--ignore-scripts", "--no-audit", "--no-fund", ...names], { cwd: folder });
  if (!(await npm(`${PI}@${version}`)).ok) return false;
  const schema = "@earendil-works/pi-schema";
  // pi-mend brings its own.
  if (!existsSync(join(folder, "node_modules", schema))) tools.push(`${schema}@${devDependencies[schema]}`);
  return (await npm(...tools)).ok;
}

async function suites(folder) {
  for (const name of SUITES) {
    const tests = join(ROOT, "packages", name, "test");
    const suite = "upstream-drift.test.ts";
    const besides = readFileSync(join(tests, suite), "utf8").matchAll(/new URL\("([\w./-]+)", import\.meta\.url\)/g);
    for (const file of [suite, ...[...besides].map(([, path]) => path)]) {
      cpSync(join(tests, file), join(folder, name, file), { recursive: true });
    }
  }
  const report = join(folder, "report.json");
  const vitest = join(folder, "node_modules/vitest/vitest.mjs");
  const flags = [
    "run",
    "--root",
    folder,
    "--dir",
    folder,
    "--testTimeout=60000",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  await run(NODE, [vitest, ...flags], { cwd: folder });
  const files = JSON.parse(readFileSync(report, "utf8")).testResults;
  return SUITES.map((name) => {
    const tests = files.find((file) => dirname(file.name).endsWith(`/${name}`))?.assertionResults ?? [];
    const off = tests.filter((test) => test.status !== "passed").map((test) => test.title);
    return { name, facts: tests.length, off };
  });
}

/** One session of the real pi: a call that only a repair can run. */
async function session(folder, cli) {
  const call = { id: "c1", name: "read", arguments: '{"file_path":"a.txt","limit":{}}' };
  const server = await startScriptedServer([{ calls: [call] }]);
  const [home, cwd, agent] = ["home", "work", "home/agent"].map((name) => join(folder, name));
  for (const made of [home, cwd, agent]) mkdirSync(made, { recursive: true });
  writeFileSync(join(cwd, "a.txt"), "the file");
  const model = { id: "m", name: "m", contextWindow: 100_000, maxTokens: 1_000 };
  const s = { baseUrl: server.url, api: "openai-completions", apiKey: "k", models: [model] };
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { s } }));
  const flags = ["--print", "--offline", "--no-extensions", "--provider", "s", "--model", "m", "-e", PACKAGE, "Begin."];
  const isolated = { ...env, HOME: home, PI_CODING_AGENT_DIR: agent };
  const { ok, out, err } = await run(NODE, [cli, ...flags], { cwd, env: isolated });
  await server.close();
  const result = String(server.requests.at(-1)?.messages.at(-1)?.content ?? "");
  const doctor = await run(NODE, [join(PACKAGE, "dist/cli.js"), "doctor", "--json", "--pi", cli], {
    cwd,
    env: isolated,
  });
  return {
    isFinished: ok && out.trim() === "done",
    isMended: result.includes("the file"),
    warnings: (err.match(/^pi-mend: /gm) ?? []).length,
    doctor: JSON.parse(doctor.out),
  };
}

function verdict({ isFinished, isMended, warnings, doctor }) {
  const isSupported = !doctor.problems.some((problem) => problem.includes("is not supported"));
  if (!isFinished) return { isSupported, fault: "pi did not finish its session" };
  if (isSupported && (!isMended || warnings > 0)) return { isSupported, fault: "the call was not mended" };
  if (!isSupported && (isMended || warnings !== 1))
    return { isSupported, fault: "pi was not left alone with one warning" };
  return { isSupported };
}

const rows = [];
const tried = new Set();
for (const version of published()) {
  const minor = version.split(".").slice(0, 2).join(".");
  if (tried.has(minor)) continue;
  if (rows.length === Number(values.minors)) break;
  const folder = mkdtempSync(join(tmpdir(), "pi-mend-drift-matrix-"));
  try {
    if (!(await install(folder, version))) {
      process.stderr.write(`pi ${version} does not install\n`);
      continue;
    }
    tried.add(minor);
    const seen = await session(folder, join(folder, "node_modules", PI, "dist/bundle/cli.js"));
    const row = { version, ...seen, ...verdict(seen), suites: await suites(folder) };
    // Every fact holds for the pi that the workspace pins; where one does not, the matrix itself is at fault.
    if (version === PINNED && row.suites.some(({ off }) => off.length > 0))
      row.fault ??= "a fact of the pinned pi is off";
    rows.push(row);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  console.log("| pi | drift facts: extension | agent | ai | `doctor` says is off | session with pi-mend |");
  console.log("|---|---|---|---|---|---|");
  for (const row of rows) {
    const counts = row.suites.map(({ facts, off }) => `${facts - off.length}/${facts}`).join(" | ");
    const off =
      row.doctor.facts
        .filter(({ holds }) => !holds)
        .map(({ without }) => without)
        .join("; ") || "nothing";
    const how = row.isSupported ? "finished, call mended" : "finished, pi left alone with one warning";
    console.log(`| ${row.version} | ${counts} | ${off} | ${row.fault ?? how} |`);
  }
}
if (rows.length < Number(values.minors) || rows.some(({ fault }) => fault !== undefined)) process.exitCode = 1;
