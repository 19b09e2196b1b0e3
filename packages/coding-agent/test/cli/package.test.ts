// The built package: what pi loads stays small and self-contained, and the shell command runs from it.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as adaptation from "../../src/memory/adaptation/adaptation.schema.ts";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { telemetryLog } from "../../src/memory/telemetry/telemetry-log.ts";
import { CASES } from "../memory/support/health-cases.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const MANIFEST = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const FILES = ["index.js", "commands.js", "replay-worker.js", "cli.js"];
const HOST = /^(?:node:|\.\/commands\.js$|@earendil-works\/pi-(?:coding-agent|ai|agent-core|tui)(?:\/|$)|typebox$)/;

test.each(FILES)("%s imports nothing but Node, its neighbour and what pi provides", (name) => {
  const text = readFileSync(join(PACKAGE, "dist", name), "utf8");
  const imports = [...text.matchAll(/^(?:import|export)\s[^;'"]*?["']([^"'\n]+)["'];$/gm)].map(([, from]) => from!);
  for (const from of imports) expect(from).toMatch(HOST);
});

test.each(FILES)("%s holds no TypeBox: schemas are their JSON", (name) => {
  const text = readFileSync(join(PACKAGE, "dist", name), "utf8");
  expect(text).not.toMatch(/@sinclair\/typebox|TypeBox\.|Symbol\.for\("TypeBox/);
});

test("a schema in the build says what it says in the source", () => {
  const text = readFileSync(join(PACKAGE, "dist", "commands.js"), "utf8");
  const [, json = ""] = /^var AdaptationSchema = (\{[\s\S]*?\});$/m.exec(text) ?? [];
  expect(new Function(`return ${json}`)()).toEqual(JSON.parse(JSON.stringify(adaptation.AdaptationSchema)));
});

describe("the shell command", () => {
  const bin = join(PACKAGE, MANIFEST.bin["pi-mend"]);

  test("is what the manifest says and starts with a line for the shell", () => {
    expect(existsSync(bin)).toBe(true);
    expect(readFileSync(bin, "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
    expect(dirname(bin)).toBe(join(PACKAGE, "dist"));
  });

  test("reads the files of the agent folder, without pi", async () => {
    const folder = tempFolder();
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, PI_CODING_AGENT_DIR: join(folder, "agent") };
    await telemetryLog(memoryPaths(env, folder).telemetry).append(CASES.records);
    const health = execFileSync(process.execPath, [bin, "health", "--json"], { env, cwd: folder, encoding: "utf8" });
    expect(JSON.parse(health).models[0]).toMatchObject({ model: "local/weak-7b", calls: 40 });
    execFileSync(process.execPath, [bin, "settings", "teach", "off"], { env, cwd: folder });
    expect(JSON.parse(readFileSync(memoryPaths(env, folder).settings, "utf8"))).toEqual({ teach: false });
    expect(spawnSync(process.execPath, [bin, "no-such"], { env, cwd: folder }).status).toBe(2);
  });

  test("replays where there is no pi and no other package", () => {
    const folder = tempFolder();
    cpSync(dirname(bin), join(folder, "dist"), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const call = { type: "toolCall", id: "c", name: "read", arguments: { file_path: "a" } };
    const message = { role: "assistant", provider: "p", model: "m", content: [call], stopReason: "toolUse" };
    for (const name of ["a.jsonl", "b.jsonl"])
      writeFileSync(join(folder, name), JSON.stringify({ type: "message", message }));
    const words = [join(folder, "dist", "cli.js"), "replay", folder, "--json", "--threads"];
    for (const threads of ["1", "2"]) {
      const env = { PATH: "", HOME: folder };
      const said = execFileSync(process.execPath, [...words, threads], { env, cwd: folder, encoding: "utf8" });
      expect(JSON.parse(said).total.verdicts).toMatchObject({ wouldRun: 2 });
    }
  });
});
