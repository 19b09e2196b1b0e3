// Proves that the overlay still lies where it thinks it lies: every file at an upstream path is a declared override of
// the upstream source it was written against, and the built packages still export all that upstream exports. Runs in
// `npm run check`; `--record` accepts the installed upstream sources as reviewed. It never edits a source file.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const RECORD_FILE = join(ROOT, "scripts/overlay.json");

const PACKAGES = [
  { folder: "packages/ai", name: "@pi-mend/ai", upstream: "@earendil-works/pi-ai", sameExports: true },
  { folder: "packages/agent", name: "@pi-mend/agent", upstream: "@earendil-works/pi-agent-core", sameExports: true },
  // The extension is no drop-in: pi loads it beside its own index, so only the paths are compared.
  { folder: "packages/coding-agent", name: "pi-mend", upstream: "@earendil-works/pi-coding-agent", sameExports: false },
];

const HEADER_WORDS = ["OVERRIDE", "Replaces:", "Why:", "Forwarded:", "Drop when:"];

/** The installed upstream package's folder as Node would find it from `folder`, or undefined. */
function upstreamFolder(folder, upstream) {
  for (let at = join(ROOT, folder); ; at = dirname(at)) {
    const candidate = join(at, "node_modules", upstream);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (at === dirname(at)) return undefined;
  }
}

const listFiles = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((path) => path.split(sep).join("/"))
        .sort()
    : [];

/** Path relative to the package (`src/…`) → sha256 of the source, read from the source maps of `dist`. */
function upstreamSources(folder) {
  const hashes = new Map();
  for (const path of listFiles(join(folder, "dist"))) {
    if (!path.endsWith(".js.map")) continue;
    const map = JSON.parse(readFileSync(join(folder, "dist", path), "utf8"));
    map.sources.forEach((source, index) => {
      const content = map.sourcesContent?.[index];
      if (typeof content !== "string") return;
      const at = posix.join("dist", posix.dirname(path), map.sourceRoot ?? "", source);
      hashes.set(at, createHash("sha256").update(content).digest("hex"));
    });
  }
  return hashes;
}

/** The comment a file opens with: its leading `//` lines or its leading block comment; "" when it opens with code. */
function headerOf(source) {
  const text = source.replace(/^\uFEFF?\s*/, "");
  if (text.startsWith("/*")) return text.slice(0, text.indexOf("*/") + 2);
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines.slice(0, end === -1 ? lines.length : end).join("\n");
}

/** Every override of the tree with its upstream hash, and what is wrong with headers and paths. */
function readOverrides() {
  const overrides = {};
  const problems = [];
  for (const { folder, upstream } of PACKAGES) {
    const installed = upstreamFolder(folder, upstream);
    const sources = installed === undefined ? new Map() : upstreamSources(installed);
    if (sources.size === 0) {
      problems.push(`${upstream}: no sources found; is it installed, with source maps?`);
      continue;
    }
    for (const path of listFiles(join(ROOT, folder, "src"))) {
      if (!/\.[mc]?tsx?$/.test(path)) continue;
      const key = `${folder}/src/${path}`;
      const header = headerOf(readFileSync(join(ROOT, key), "utf8"));
      const sha256 = sources.get(`src/${path}`);
      if (sha256 !== undefined) {
        const missing = HEADER_WORDS.filter((word) => !header.includes(word));
        if (missing.length > 0) {
          problems.push(
            `${key}: overrides ${upstream}/src/${path}, but its header comment lacks ${missing.join(", ")}`,
          );
        }
        overrides[key] = { upstream: `${upstream}/src/${path}`, sha256 };
      } else if (/\bOVERRIDE\b/.test(header)) {
        problems.push(
          `${key}: says OVERRIDE, but ${upstream} has no src/${path}; drop it, move it, or make it an addition`,
        );
      }
    }
  }
  return { overrides, problems };
}

/** What the recorded overrides and those of the tree disagree on. */
function compareRecorded(recorded, overrides) {
  const problems = [];
  for (const [key, { upstream, sha256 }] of Object.entries(overrides)) {
    const entry = recorded[key];
    if (entry === undefined) {
      problems.push(`${key}: override of ${upstream} is not recorded in scripts/overlay.json`);
    } else if (entry.upstream !== upstream) {
      problems.push(`${key}: recorded as an override of ${entry.upstream}, lies on ${upstream}`);
    } else if (entry.sha256 !== sha256) {
      problems.push(`${key}: ${upstream} changed since it was reviewed; compare the override with it, then --record`);
    }
  }
  for (const key of Object.keys(recorded)) {
    if (overrides[key] !== undefined) continue;
    const why = existsSync(join(ROOT, key)) ? "is no override (no upstream file at its path)" : "does not exist";
    problems.push(`${key}: recorded in scripts/overlay.json, but ${why}`);
  }
  return problems;
}

/** The record as JSON in the form the formatter keeps: a list on one line where it fits. */
function formatRecord(record) {
  const json = JSON.stringify(record, null, 2);
  const compact = json.replace(/^(.*)\[\n([^\]]*)\]/gm, (whole, before, items) => {
    const line = `${before}[${items.trim().split(/\n\s*/).join(" ")}]`;
    return line.length < 120 ? line : whole;
  });
  return `${compact}\n`;
}

/** What one built package's exports do to upstream's; `notes` gets a line when there is nothing built to look at. */
async function compareExports({ folder, name, upstream }, replaced, notes) {
  const built = join(ROOT, folder, "dist/index.js");
  if (!existsSync(built)) {
    notes.push(`${name}: not built, exports not compared`);
    return [];
  }
  const installed = upstreamFolder(folder, upstream);
  if (installed === undefined) return [];
  let ours;
  let theirs;
  try {
    theirs = await import(pathToFileURL(join(installed, "dist/index.js")).href);
    ours = await import(pathToFileURL(built).href);
  } catch (error) {
    return [`${name}: its exports cannot be compared: ${error instanceof Error ? error.message : String(error)}`];
  }
  const problems = [];
  for (const key of Object.keys(theirs)) {
    if (!(key in ours)) problems.push(`${name}: ${upstream} exports ${key}, the overlay lost it`);
    else if (ours[key] !== theirs[key] && !replaced.includes(key)) {
      problems.push(`${name}: ${key} collides with ${upstream}'s export; rename it, or list it under "replaced"`);
    }
  }
  for (const key of replaced) {
    if (!(key in theirs)) problems.push(`${name}: "replaced" lists ${key}, which ${upstream} does not export`);
    else if (ours[key] === theirs[key])
      problems.push(`${name}: "replaced" lists ${key}, which is still upstream's own`);
  }
  return problems;
}

const { replaced = {}, ...recorded } = existsSync(RECORD_FILE) ? JSON.parse(readFileSync(RECORD_FILE, "utf8")) : {};
const { overrides, problems } = readOverrides();
const notes = [];

if (process.argv.includes("--record")) {
  writeFileSync(RECORD_FILE, formatRecord({ ...overrides, replaced }));
  notes.push(`recorded ${Object.keys(overrides).length} overrides in scripts/overlay.json`);
} else {
  problems.push(...compareRecorded(recorded, overrides));
}
for (const name of Object.keys(replaced)) {
  if (!PACKAGES.some((one) => one.name === name && one.sameExports)) {
    problems.push(`scripts/overlay.json: "replaced" names ${name}, which is no drop-in package`);
  }
}
for (const one of PACKAGES) {
  if (one.sameExports) problems.push(...(await compareExports(one, replaced[one.name] ?? [], notes)));
}

for (const note of notes) console.log(`overlay: ${note}`);
for (const problem of problems) console.error(`overlay: ${problem}`);
if (problems.length > 0) {
  console.error(`overlay: ${problems.length} problem${problems.length === 1 ? "" : "s"}`);
  process.exitCode = 1;
} else {
  console.log(`overlay: ${Object.keys(overrides).length} overrides match their upstream`);
}
