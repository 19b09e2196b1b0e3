// Packs the three packages as npm would publish them and looks at what is in the tarballs. Nothing is published.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = ["ai", "agent", "coding-agent"];

/** What a tarball may hold: these, and the folders `docs` and `examples` where the manifest names them. */
const PLAIN = /^(?:dist\/.+|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
const OPTIONAL = ["docs", "examples"];
/** Sources, tests and leftovers never belong into a build. */
const STRAY = /(?:\.(?:test|spec|bench)\.|(?<!\.d)\.ts$|\.tsbuildinfo$|node_modules|\.env)/;

/**
 * @typedef {{ name: string, tarball: string, manifest: any }} Packed
 * @param {string} folder where the tarballs go
 * @returns {Packed[]} in the order of their imports
 * @throws where a tarball holds a file that it should not, or lacks one that its manifest promises
 */
export function packAll(folder) {
  return PACKAGES.map((directory) => {
    const from = join(ROOT, "packages", directory);
    const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
    const flags = ["pack", "--json", "--silent", "--pack-destination", folder];
    const [{ filename, files }] = JSON.parse(execFileSync("npm", flags, { cwd: from, encoding: "utf8" }));
    const paths = files.map(({ path }) => path);
    const extra = OPTIONAL.filter((name) => manifest.files.includes(name));
    const strays = paths.filter(
      (path) => STRAY.test(path) || !(PLAIN.test(path) || extra.some((name) => path.startsWith(`${name}/`))),
    );
    const missing = promised(manifest).filter((path) => !paths.includes(path));
    if (strays.length > 0) throw new Error(`${manifest.name} packs ${strays.join(", ")}`);
    if (missing.length > 0) throw new Error(`${manifest.name} lacks ${missing.join(", ")}`);
    return { name: manifest.name, tarball: join(folder, filename), manifest };
  });
}

function promised({ main, bin = {}, pi, exports }) {
  const targets = Object.values(exports).flatMap((target) =>
    Object.values(typeof target === "string" ? [target] : target),
  );
  const paths = [main, ...Object.values(bin), ...(pi?.extensions ?? []), ...targets].filter(Boolean);
  const named = paths.filter((path) => !path.includes("*")).map((path) => path.replace(/^\.\//, ""));
  return ["README.md", "LICENSE", "CHANGELOG.md", ...named];
}
