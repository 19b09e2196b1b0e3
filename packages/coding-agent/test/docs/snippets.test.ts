// Every TypeScript snippet of the pages runs as it stands there, on the packages as built, and prints what its comments say.
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { fencedBlocks, PAGES, ROOT, readPage } from "./support/pages.ts";

/** What another test runs, by a line of the snippet. */
const RUN_ELSEWHERE = {
  "export function cardAgent(": "packages/agent/test/embed-example.test.ts",
  "export async function runCalls(": "packages/agent/test/own-loop-example.test.ts",
  "export function outcomeCounters(": "packages/agent/test/outcome-counters.test.ts",
} as const;

/** What needs something around it: lines that stand before the snippet. */
const AROUND = {
  'pi.events.emit("pi-mend:tool-hints"': "",
  "const hints = defineToolHints(": "const parameters = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };",
  "return formatBounce(result, tool);":
    "const [tool, args] = [{ name: 'a', parameters: { type: 'object' } }, {}]; await (async () => {",
} as const;

const snippets = PAGES.flatMap((page) =>
  fencedBlocks(readPage(page), ["ts"]).map(({ text }, index) => ({ name: `${page} ${index + 1}`, text })),
);
