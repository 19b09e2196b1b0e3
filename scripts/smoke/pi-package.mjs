// The packed pi package in the real pi, in a home of its own: installed, listed, used by a session whose call it repairs, and
// removed. The package is unpacked first: pi installs folders, and takes archives from the registry only.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NODE, PI_CLI, runPi } from "../demo/run-pi.mjs";
import { startScriptedServer } from "../demo/scripted-server.mjs";

const CALL = { id: "one", name: "read", arguments: '{"file_path":"notes.txt","limit":"1"}' };

/**
 * @param {string} home an empty folder
 * @param {import("./pack.mjs").Packed} packed
 * @throws where one of the steps leaves something else than it should
 */
export async function checkPiPackage(home, { name, tarball }) {
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "notes.txt"), "first\nsecond\n");
  execFileSync("tar", ["-xzf", tarball, "-C", home]);
  const folder = join(home, "package");
  const pi = (...args) => {
    const env = { PATH: process.env.PATH, HOME: home, PI_CODING_AGENT_DIR: join(home, ".pi", "agent") };
    const quiet = { PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1", NO_COLOR: "1" };
    return execFileSync(NODE, [PI_CLI, ...args], { cwd, env: { ...env, ...quiet }, encoding: "utf8" });
  };

  const isListed = () => /\/package$/m.test(pi("list"));
  expect(!isListed(), "a new home lists packages");
  pi("install", folder);
  expect(isListed(), `pi list does not show ${name}`);
  expect((await session(home, cwd)).names?.includes("aliasRename"), "the session's call was not repaired");
  pi("remove", folder);
  expect(!isListed(), `pi list still shows ${name}`);
  expect((await session(home, cwd)).names === undefined, "a removed package still repairs");
}

/** One run in print mode; the names of the repairs of its call. */
async function session(home, cwd) {
  const server = await startScriptedServer([{ calls: [CALL] }, { text: "All done." }]);
  try {
    const { code, stdout, stderr, sessionFile } = await runPi({
      ...{ home, cwd, serverUrl: server.url, prompt: "Begin.", alone: false },
    });
    expect(code === 0 && stdout.includes("All done."), `pi ended with ${code}: ${stderr}`);
    const entries = readFileSync(sessionFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const blocks = entries.flatMap(({ message }) => (message?.role === "assistant" ? message.content : []));
    return { names: blocks.find(({ type }) => type === "toolCall")?.repair?.names };
  } finally {
    await server.close();
  }
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
