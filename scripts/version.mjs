// Gives every package and the workspace one version and closes the changelogs' Unreleased sections:
// `npm run version -- X.Y.Z [--date YYYY-MM-DD]`. Changes files only; it neither commits nor tags nor publishes.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const FOLDERS = [".", "packages/ai", "packages/agent", "packages/coding-agent"];

/** @returns the files that were changed */
export function setVersion(root, version, date) {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) throw new Error(`not a version: ${version}`);
  const manifests = FOLDERS.map((folder) => join(root, folder, "package.json"));
  const names = new Set(manifests.map((path) => JSON.parse(readFileSync(path, "utf8")).name));
  const changed = [];
  for (const path of manifests) {
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    manifest.version = version;
    for (const kind of ["dependencies", "devDependencies", "peerDependencies"]) {
      for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
        if (names.has(name)) manifest[kind][name] = range.replace(/\d.*$/, version);
      }
    }
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    changed.push(path);
  }
  for (const folder of FOLDERS) {
    const path = join(root, folder, "CHANGELOG.md");
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    // A release without a change of this package keeps its section open.
    const closed = text.replace(/^## Unreleased\n+(?=\S)(?!## )/m, `## Unreleased\n\n## ${version} (${date})\n\n`);
    if (closed !== text) changed.push(path);
    writeFileSync(path, closed);
  }
  return changed;
}

if (process.argv[1] === import.meta.filename) {
  const today = new Date().toISOString().slice(0, 10);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { date: { type: "string", default: today } },
  });
  const root = dirname(import.meta.dirname);
  for (const path of setVersion(root, positionals[0] ?? "", values.date)) console.log(path);
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: root });
}
