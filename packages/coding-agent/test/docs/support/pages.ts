// The pages of the documentation and the fenced blocks in them.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));

/** Every page that a user reads, by its path from the root. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...readdirSync(`${ROOT}packages`).map((name) => `packages/${name}/README.md`),
];

export function readPage(path: string): string {
  return readFileSync(`${ROOT}${path}`, "utf8");
}

export interface FencedBlock {
  /** What stands behind the opening fence. */
  readonly info: string;
  readonly text: string;
}

/** @param languages first words of the fences that count */
export function fencedBlocks(page: string, languages: readonly string[]): readonly FencedBlock[] {
  return [...page.matchAll(/^( *)```([^\n`]+)\n([\s\S]*?)^\1```$/gm)]
    .map(([, , info = "", text = ""]) => ({ info: info.trim(), text }))
    .filter(({ info }) => languages.includes(info.split(" ")[0]!));
}
