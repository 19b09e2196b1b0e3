// Under a pi outside the range the package must do nothing but say so; under one that has dropped a name it must load.
// The pi is the installed one, copied, with one thing about it changed.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isSupportedPi, SUPPORTED_RANGE } from "../src/core/supported-pi.ts";
import { tempFolder } from "./memory/support/temp-folder.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const PI = dirname(findPackageJSON("@earendil-works/pi-coding-agent", import.meta.url)!);
const DEMO = new URL("../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

test.each([
  ["1.3.0", true],
  ["1.6.0", true],
  ["1.10.2", true],
  ["1.7.0-rc.1", true],
  ["not a version", true],
  [undefined, true],
  ["1.2.9", false],
  ["0.87.1", false],
  ["2.0.0", false],
  ["2.0.0-beta", false],
])("pi %s is supported: %s", (version, isSupported) => {
  expect(isSupportedPi(version)).toBe(isSupported);
});

test("the manifest and the README name the same range", () => {
  const manifest = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  expect(manifest.peerDependencies["@earendil-works/pi-coding-agent"]).toBe(SUPPORTED_RANGE);
  expect(readFileSync(join(HERE, "../../README.md"), "utf8")).toContain(`\`${SUPPORTED_RANGE}\``);
});

/** A copy of the installed pi with another version, or with other text in its bundle. */
function changedPi(folder: string, version: string, change: (text: string) => string = (text) => text): string {
  const copy = join(folder, "node_modules/@earendil-works/pi-coding-agent");
  mkdirSync(copy, { recursive: true });
  cpSync(join(PI, "dist/bundle"), join(copy, "dist/bundle"), { recursive: true });
  for (const name of readdirSync(join(PI, "dist"))) {
    if (name !== "bundle") symlinkSync(join(PI, "dist", name), join(copy, "dist", name));
  }
  const [ours, theirs] = [dirname(dirname(copy)), dirname(dirname(PI))];
  const link = (name: string) => symlinkSync(join(theirs, name), join(ours, name));
  for (const name of readdirSync(theirs)) if (name !== "@earendil-works" && !name.startsWith(".")) link(name);
  for (const name of readdirSync(dirname(PI))) if (name !== "pi-coding-agent") link(`@earendil-works/${name}`);
  symlinkSync(join(PI, "docs"), join(copy, "docs"));
  const manifest = JSON.parse(readFileSync(join(PI, "package.json"), "utf8"));
  writeFileSync(join(copy, "package.json"), JSON.stringify({ ...manifest, version }));
  for (const name of readdirSync(join(copy, "dist/bundle/chunks"))) {
    const path = join(copy, "dist/bundle/chunks", name);
    const text = readFileSync(path, "utf8");
    if (change(text) !== text) writeFileSync(path, change(text));
  }
  return join(copy, "dist/bundle/cli.js");
}

async function session(cli: string, home: string) {
  const server = await startScriptedServer([
    { calls: [{ id: "c1", name: "read", arguments: '{"file_path":"a.txt"}' }] },
  ]);
  const [agentDir, cwd] = [join(home, "agent"), join(home, "work")];
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "the file\n");
  const run = await runPi({ home, agentDir, cwd, serverUrl: server.url, extensions: [HERE], prompt: "Begin.", cli });
  await server.close();
  const result = server.requests.at(-1)?.messages.at(-1);
  return { code: run.code, out: run.stdout.trim(), err: run.stderr, result: String(result?.content ?? "") };
}

describe("the real pi", () => {
  test.each(["0.87.1", "2.0.0"])("as version %s runs on without pi-mend, after one warning", async (version) => {
    const folder = tempFolder();
    const { code, out, err, result } = await session(changedPi(folder, version), folder);
    expect([code, out]).toEqual([0, "done"]);
    expect(err.match(/pi-mend:/g)).toHaveLength(1);
    expect(err).toContain(`under pi ${version}`);
    expect(result).toContain("path: missing");
    expect(readdirSync(join(folder, "agent"))).not.toContain("pi-mend");
  });

  test("without the legacy names still repairs", async () => {
    const folder = tempFolder();
    const cli = changedPi(folder, "1.9.0", (text) => text.replaceAll("@mariozechner/", "@nobody/"));
    const { code, out, err, result } = await session(cli, folder);
    expect([code, out, err]).toEqual([0, "done", ""]);
    expect(result).toContain("the file");
  });
});
