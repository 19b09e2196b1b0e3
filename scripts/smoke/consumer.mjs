// A folder that knows nothing of this repository, with the tarballs installed: every public subpath of every package is
// imported there, checked by tsc and then run. Installs from the npm registry; ends with the folder's removal by the caller.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE } from "../demo/run-pi.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const FROM_REGISTRY =
  /^(?:@earendil-works\/pi-(?:ai|agent-core|coding-agent|schema|telemetry|tui)|typescript|@types\/node)$/;
const RESOLUTIONS = [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
];

/**
 * @param {string} folder an empty folder
 * @param {readonly import("./pack.mjs").Packed[]} packed
 * @returns {number} how many subpaths were imported
 * @throws with what npm, tsc or Node said
 */
export function checkConsumer(folder, packed) {
  mkdirSync(folder, { recursive: true });
  const exact = Object.entries(devDependencies).filter(([name]) => FROM_REGISTRY.test(name));
  const dependencies = Object.fromEntries([...exact, ...packed.map(({ name, tarball }) => [name, `file:${tarball}`])]);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }),
  );
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--silent"], folder);

  const subpaths = packed.flatMap(({ name, manifest }) => subpathsOf(folder, name, manifest));
  const code = subpaths.filter((path) => !path.endsWith(".json"));
  const typed = code.filter((path) => path !== "pi-mend");
  const imports = typed.map((path, index) => `import * as m${index} from "${path}";`);
  const uses = `export const all: readonly object[] = [${typed.map((_, index) => `m${index}`).join(", ")}];`;
  const result = `import { type RepairResult, repairToolArguments } from "@pi-mend/ai";
const made: RepairResult = repairToolArguments({ name: "t", parameters: { type: "object", properties: {} } }, {});
export const names: readonly string[] = made.outcome === "repaired" ? made.repairs.map(({ name }) => name) : [];`;
  writeFileSync(join(folder, "all.ts"), [...imports, uses, result].join("\n"));
  for (const [module, moduleResolution] of RESOLUTIONS) {
    const options = { module, moduleResolution, target: "es2023", strict: true, noEmit: true, types: ["node"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["all.ts"] }));
    run("npx", ["--no-install", "tsc", "-p", "."], folder);
  }
  const asks = subpaths.map((path) =>
    path.endsWith(".json") ? `await import("${path}", { with: { type: "json" } })` : `await import("${path}")`,
  );
  const test = `const all = [${asks.join(", ")}];
for (const one of all) if (Object.keys(one).length === 0) throw new Error("an empty module");
const { repairToolArguments } = await import("@pi-mend/ai");
const made = repairToolArguments({ name: "t", parameters: { type: "object", properties: { a: { type: "number" } } } }, { a: "1" });
if (made.outcome !== "repaired" || made.args.a !== 1) throw new Error(JSON.stringify(made));`;
  writeFileSync(join(folder, "all.mjs"), test);
  run(NODE, ["all.mjs"], folder);
  run(NODE, [join("node_modules", "pi-mend", "dist", "cli.js"), "settings"], folder);
  return subpaths.length;
}

function subpathsOf(folder, name, { exports }) {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const path = `${name}${subpath.slice(1)}`;
    if (!path.includes("*")) return [path];
    const [before, after] = target.import.split("*");
    const names = readdirSync(dirname(join(folder, "node_modules", name, `${before}x`)));
    const modules = names.filter((file) => file.endsWith(after) && !file.endsWith(".d.ts"));
    if (modules.length === 0) throw new Error(`${path} stands for nothing`);
    return modules.map((file) => path.replace("*", file.slice(0, -after.length)));
  });
}

function run(command, args, cwd) {
  const PATH = `${dirname(NODE)}:${process.env.PATH}`;
  const env = {
    ...process.env,
    PATH,
    PI_CODING_AGENT_DIR: join(cwd, "agent"),
    HOME: cwd,
    npm_config_cache: join(homedir(), ".npm"),
  };
  try {
    execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`);
  }
}
