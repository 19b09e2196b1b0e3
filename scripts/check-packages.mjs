// Holds every package, as it would be published, to publint and to arethetypeswrong: `npm run check:packages`. Writes only to
// a temporary folder. The extension package is loaded by pi and has no types of its own, so only publint looks at it.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const ROOT = dirname(import.meta.dirname);
const ATTW = join(ROOT, "node_modules/@arethetypeswrong/cli/dist/index.js");
const packed = mkdtempSync(join(tmpdir(), "pi-mend-packages-"));
const faults = [];
try {
  for (const name of ["ai", "agent", "coding-agent"]) {
    const folder = join(ROOT, "packages", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { messages } = await publint({ pkgDir: folder, strict: true });
    faults.push(...messages.map((message) => `${manifest.name}: ${formatMessage(message, manifest)}`));
    if (manifest.types === undefined) continue;
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", packed];
    const tarball = join(packed, execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim());
    // ESM only, by design: there is nothing to require.
    const types = spawnSync(process.execPath, [ATTW, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], {
      encoding: "utf8",
    });
    if (types.status !== 0) faults.push(`${manifest.name}: ${types.stdout}${types.stderr}`);
  }
} finally {
  rmSync(packed, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "publint and attw: nothing to say" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
