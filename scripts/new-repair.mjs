// Scaffolds a repair: node scripts/new-repair.mjs camelCaseName. Writes the entry and its fixtures with the questions they
// must answer, and puts the entry into the registry. The fixtures fail until they are answered.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../packages/ai/", import.meta.url));
const [name] = process.argv.slice(2);

if (name === undefined || !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(name)) {
  console.error("usage: node scripts/new-repair.mjs NAME   (camelCase, input first, verb last: jsonStringParse)");
  process.exit(2);
}

const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const entryFile = `${ROOT}src/utils/tool-repair/repairs/${kebab}.ts`;
const registryFile = `${ROOT}src/utils/tool-repair/registry.ts`;
const fixtureFile = `${ROOT}test/repairs/${name}/cases.json`;
const registry = readFileSync(registryFile, "utf8");

if (existsSync(entryFile) || new RegExp(`\\b${name}\\b`).test(registry)) {
  console.error(`${name} exists already`);
  process.exit(1);
}

writeFileSync(
  entryFile,
  `import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** TODO one sentence: what was sent and what it becomes. */
export const ${name} = {
  name: "${name}",
  errorSignature: { expect: ["string"], got: ["array"] },
  transform: (_site: FailureSite) => undefined,
  noteTemplate: "\`{path}\` TODO what was wrong → TODO the right form",
  docs: { sends: "TODO", becomes: "TODO", refuses: "TODO", seen: "TODO model, date, issue" },
} as const satisfies RepairEntry;
`,
);

const tool = { name: "sample", parameters: { type: "object", properties: {}, required: [] } };
const row = (what, expect) => ({ name: `TODO ${what}`, tool, args: { TODO: true }, expect });
mkdirSync(`${ROOT}test/repairs/${name}`, { recursive: true });
writeFileSync(
  fixtureFile,
  `${JSON.stringify(
    [
      row("repaired", { outcome: "repaired", args: {}, repairs: [name] }),
      { ...row("what the entry refuses", { outcome: "bounced" }), refuses: true },
      row("clean", { outcome: "clean" }),
    ],
    null,
    2,
  )}\n`,
);

const firstList = "export const REPAIRS = [\n";
const lastImport = registry.lastIndexOf("\nimport ");
const afterImport = registry.indexOf("\n", lastImport + 1);
writeFileSync(
  registryFile,
  `${registry.slice(0, afterImport)}\nimport { ${name} } from "./repairs/${kebab}.ts";${registry.slice(afterImport)}`.replace(
    firstList,
    `${firstList}  ${name}, // TODO move to its place in attempt order\n`,
  ),
);

console.log(`wrote ${[entryFile, fixtureFile, registryFile].map((file) => file.slice(ROOT.length)).join("\n      ")}`);
console.log("next: npm run format, then AGENTS.md, section “Adding a repair”");
