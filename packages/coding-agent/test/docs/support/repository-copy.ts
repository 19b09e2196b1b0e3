// A copy of the repository that scripts may write into, on the modules of the original. It is built already, so its scripts do
// not build it again.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tempFolder } from "../../memory/support/temp-folder.ts";
import { ROOT } from "./pages.ts";

const { NODE } = await import(new URL("../../../../../scripts/demo/run-pi.mjs", import.meta.url).href);
const LEFT_OUT = new Set(["node_modules", ".git", ".turbo", "test-results.json"]);
const BUILD = /turbo run build [^&]*&& /;

/** A case as `npm run corpus` scores it. */
const CASE = {
  id: "alias",
  tool: { name: "read", parameters: { type: "object", required: ["path"], properties: { path: { type: "string" } } } },
  raw: { file_path: "a" },
  expect: { outcome: "repaired", args: { path: "a" } },
};

export function repositoryCopy() {
  const home = tempFolder();
  const folder = join(home, "copy");
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const scripts = Object.fromEntries(
    Object.entries<string>(manifest.scripts).map(([name, line]) => [name, line.replace(BUILD, "")]),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, scripts }));
  mkdirSync(join(folder, "cases"));
  writeFileSync(join(folder, "cases", "calls.jsonl"), `${JSON.stringify(CASE)}\n`);
  const env = {
    ...{ HOME: home, PI_CODING_AGENT_DIR: join(home, "agent"), PI_OFFLINE: "1", PI_TELEMETRY: "0", NO_COLOR: "1" },
    ...{ PATH: `${dirname(NODE)}:${process.env["PATH"] ?? ""}`, npm_config_cache: join(home, "cache") },
    ...{ npm_config_update_notifier: "false" },
  };
  return { folder, env };
}
