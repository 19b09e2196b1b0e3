// The built package: what pi loads stays small and self-contained, and the shell command runs from it.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
const FILES = readdirSync(join(PACKAGE, "dist")).filter((name) => name !== "edit.js" && name !== "tui.js");
const textOf = (name: string) => readFileSync(join(PACKAGE, "dist", name), "utf8");
const HOST =
  /^(?:node:|\.\/(?:commands|late|replay-worker|shared-[A-Z0-9]+)\.js$|@earendil-works\/pi-(?:coding-agent|ai|agent-core|tui)(?:\/|$)|typebox$)/;

/** Specifiers of the static imports: they stand before everything else. */
function staticImports(name: string): string[] {
  const head =
    /^(?:import(?:[^;"']*from)?\s*["'][^"']+["'];?\s*)*/.exec(textOf(name).replace(/^#!.*\n/, ""))?.[0] ?? "";
  return [...head.matchAll(/["']([^"']+)["']/g)].map(([, from]) => from!);
}

test.each(FILES)("%s imports nothing but Node, its neighbours and what pi provides", (name) => {
  const imports = staticImports(name);
  for (const from of imports) expect(from).toMatch(HOST);
});

test("pi's start loads less than a quarter of the package: repair, memory and texts come behind it", () => {
  const loaded = new Set(["index.js"]);
  for (const name of loaded)
    for (const from of staticImports(name)) if (from.startsWith("./")) loaded.add(from.slice(2));
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + textOf(name).length, 0);
  expect(loaded).not.toContain("late.js");
  expect(bytes(loaded)).toBeLessThan(bytes(FILES) / 4);
});

test.each(FILES)("%s holds no TypeBox: schemas are their JSON", (name) => {
  expect(textOf(name)).not.toMatch(/@sinclair\/typebox|TypeBox\.|Symbol\.for\("TypeBox/);
});

test("a schema in the build says what it says in the source", () => {
  const text = FILES.map(textOf).join("\n");
  const [, json = ""] = /[ ,]AdaptationSchema=(\{.*?\});/s.exec(text) ?? [];
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
