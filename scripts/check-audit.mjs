// What pi-mend brings along: `npm run check:audit` asks the registry for known vulnerabilities of everything that is not only
// for development, and holds manifests and lock file to what needs no network. Where the registry cannot answer it says so,
// and with `-- --required` fails then. Changes nothing.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname);

const REGISTRY = "https://registry.npmjs.org/";

/** All that an installed package of ours may bring along. */
export const RUNTIME = { ai: ["@earendil-works/pi-schema"], agent: ["@pi-mend/ai"], "coding-agent": [] };

/**
 * @param manifests the root's under "", the packages' by folder name
 * @returns what is wrong: dependencies nobody agreed to, ranges where versions must be exact, entries without a hash
 */
export function supplyFaults(lock, manifests) {
  const faults = [];
  for (const [folder, allowed] of Object.entries(RUNTIME)) {
    const { dependencies = {}, optionalDependencies = {}, bundleDependencies = [] } = manifests[folder];
    const own = [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...bundleDependencies];
    for (const name of own) if (!allowed.includes(name)) faults.push(`packages/${folder} depends on ${name}`);
  }
  for (const [name, range] of Object.entries(manifests[""].devDependencies ?? {})) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) faults.push(`${name} ${range}: not an exact version`);
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || entry.link) continue;
    if (!/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? "")) faults.push(`${path}: no sha512 in the lock file`);
    // Without an address npm asks the registry that is configured; the hash decides what is taken.
    if (!(entry.resolved ?? REGISTRY).startsWith(REGISTRY)) faults.push(`${path}: from ${entry.resolved}`);
  }
  return faults;
}

/**
 * Reads what `npm audit --json` printed.
 *
 * @returns `clean`, `vulnerable` with the findings, or `unanswered` with the reason
 */
export function auditVerdict(stdout, stderr = "") {
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return { kind: "unanswered", text: stderr.trim().split("\n").at(-1) || "npm audit printed no report" };
  }
  const found = report.metadata?.vulnerabilities;
  if (typeof found?.total !== "number") {
    return { kind: "unanswered", text: report.message ?? report.error?.summary ?? "a report without counts" };
  }
  if (found.total === 0) return { kind: "clean", text: "no known vulnerability" };
  const names = Object.values(report.vulnerabilities ?? {}).map(({ name, severity }) => `${name} (${severity})`);
  return { kind: "vulnerable", text: `${found.total} vulnerable: ${names.join(", ")}` };
}

if (process.argv[1] === import.meta.filename) {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  const folders = Object.keys(RUNTIME).map((folder) => [folder, read(`packages/${folder}/package.json`)]);
  const lock = read("package-lock.json");
  const faults = supplyFaults(lock, { "": read("package.json"), ...Object.fromEntries(folders) });
  for (const fault of faults) console.error(fault);
  console.log(`${Object.keys(lock.packages).length} entries in the lock file, ${faults.length} faults`);

  const args = ["audit", "--omit=dev", "--json", "--fetch-retries=0"];
  const { stdout, stderr, error } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8", timeout: 120_000 });
  const { kind, text } = auditVerdict(stdout ?? "", error?.message ?? stderr);
  const isAnswered = kind !== "unanswered";
  console.log(
    isAnswered
      ? `npm audit: ${text}`
      : `npm audit: NOT CHECKED, the registry has no audit endpoint or is out of reach: ${text}`,
  );
  const isRequired = process.argv.includes("--required");
  if (faults.length > 0 || kind === "vulnerable" || (isRequired && !isAnswered)) process.exitCode = 1;
}
