// Writes docs/schemas/*.json, the JSON Schemas of what pi-mend stores and emits, from the declarations that the code itself
// checks with; with --check only says whether they are current.
import { readdirSync } from "node:fs";
import { generatedFile } from "./generated-file.mjs";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const FOLDER = new URL("../docs/schemas/", import.meta.url);
const EXTENSION = "../packages/coding-agent/src/";

/** File name → module, export, title. */
const SCHEMAS = {
  "telemetry.json": [
    `${EXTENSION}memory/telemetry/telemetry.schema.ts`,
    "TelemetryRecordSchema",
    "A line of telemetry.jsonl",
  ],
  "failures.json": [`${EXTENSION}memory/failures/failure.schema.ts`, "FailureRecordSchema", "A line of failures.jsonl"],
  "adaptation.json": [`${EXTENSION}memory/adaptation/adaptation.schema.ts`, "AdaptationSchema", "adaptation.json"],
  "settings.json": [`${EXTENSION}settings/settings.schema.ts`, "SettingsFileSchema", "settings.json"],
  "outcome-event.json": [
    "../packages/agent/src/outcome.schema.ts",
    "OutcomeEventSchema",
    "An outcome event of @pi-mend/agent",
  ],
};

for (const [file, [module, name, title]] of Object.entries(SCHEMAS)) {
  const schema = (await import(new URL(module, import.meta.url)))[name];
  const text = JSON.stringify({ $schema: DIALECT, title, ...schema }, null, 2);
  generatedFile(new URL(file, FOLDER), `${text}\n`, "node scripts/schemas-doc.mjs");
}

const strays = readdirSync(FOLDER).filter((file) => !(file in SCHEMAS));
if (strays.length > 0) {
  console.error(`docs/schemas holds what no declaration stands behind: ${strays.join(", ")}`);
  process.exitCode = 1;
}
