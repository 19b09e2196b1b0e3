// Writes a corpus of session files whose truth is known: node scripts/replay-corpus.mjs --bytes N [--seed S] [--files F] DIR
// `truth.json` beside the files says what `pi-mend replay` must count in them. The same seed gives the same bytes.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { emptyTruth, sessionLines } from "./replay-corpus/session.mjs";

/** Writes the files and gives back what is true of them. */
export function writeCorpus({ folder, bytes, seed = 1, files = 4 }) {
  mkdirSync(folder, { recursive: true });
  const truth = emptyTruth();
  for (let number = 0; number < files; number++) {
    const file = openSync(join(folder, `session-${number}.jsonl`), "w");
    let waiting = "";
    for (const line of sessionLines({ seed: seed * 1_000 + number, bytes: bytes / files, truth })) {
      waiting += line;
      if (waiting.length < 1 << 20) continue;
      writeSync(file, waiting);
      waiting = "";
    }
    // As a program leaves it that is writing its next line.
    writeSync(file, `${waiting}{"type":"message","id":"ffffffff","message":{"role":"assis`);
    truth.unfinished += 1;
    closeSync(file);
  }
  writeFileSync(join(folder, "truth.json"), JSON.stringify(truth, null, 2));
  return truth;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const options = {
    bytes: { type: "string" },
    seed: { type: "string", default: "1" },
    files: { type: "string", default: "4" },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder] = positionals;
  const bytes = Number(values.bytes);
  if (folder === undefined || !(bytes > 0)) {
    console.error("usage: node scripts/replay-corpus.mjs --bytes N [--seed S] [--files F] FOLDER");
    process.exit(2);
  }
  writeCorpus({ folder, bytes, seed: Number(values.seed), files: Number(values.files) });
}
