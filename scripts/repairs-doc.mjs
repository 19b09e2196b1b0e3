// Writes docs/repairs.md from the registry, one row an entry; with --check only says whether the page is current.

import { REPAIRS, STEP_REPAIRS } from "../packages/ai/dist/utils/tool-repair/index.js";
import { generatedFile } from "./generated-file.mjs";

const cell = (text) => text.replaceAll("|", "\\|");
const rows = REPAIRS.map(({ name, docs }) => {
  const cells = [docs.sends, docs.becomes, docs.refuses, docs.seen].map(cell);
  return `| <a id="${name}"></a>\`${name}\` | ${cells.join(" | ")} |`;
});
const steps = Object.entries(STEP_REPAIRS).map(
  ([name, { wrong, right }]) => `| <a id="${name}"></a>\`${name}\` | ${cell(wrong)} | ${cell(right)} |`,
);
const page = `# Repairs

Generated from the registry by \`node scripts/repairs-doc.mjs\`; do not edit by hand. Entries are tried in this order at one
place, and a repaired value is kept only if the tool's schema takes it there and the whole call passes afterwards.

| name | model sends | becomes | refuses | seen with |
|---|---|---|---|---|
${rows.join("\n")}

## Before the table

Made around the table, before the arguments are checked.

| name | what the model did | what it is told |
|---|---|---|
${steps.join("\n")}
`;

generatedFile(new URL("../docs/repairs.md", import.meta.url), page, "node scripts/repairs-doc.mjs");
