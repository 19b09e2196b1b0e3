// How a tool's owner declares hints: typed, and checked once where they are declared. Runs at load, never per call.

import { isJsonObject } from "./json-value.ts";
import type { ToolHints } from "./types.ts";

const FIELD_PATH = /^[^.[\]]+(?:\[\])?(?:\.[^.[\]]+(?:\[\])?)*$/;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isFieldPath: Check = (value) => typeof value === "string" && FIELD_PATH.test(value);

/** What each hint must be; a word that is not here is a misspelling. */
const CHECKS: Readonly<Record<keyof ToolHints, Check>> = {
  aliases: (value) =>
    isJsonObject(value) && Object.entries(value).every(([field, names]) => isFieldPath(field) && isTexts(names)),
  rootField: isText,
  fold: (value) => isJsonObject(value) && isText(value["into"]) && isTexts(value["fields"]),
  shellFields: (value) => isTexts(value) && (value as unknown[]).every(isFieldPath),
  pathFields: (value) => isTexts(value) && (value as unknown[]).every(isFieldPath),
  closed: (value) => Array.isArray(value) && value.every((field) => field === "" || isFieldPath(field)),
  modelGates: (value) =>
    isJsonObject(value) && Object.entries(value).every(([gate, names]) => GATES.has(gate) && isTexts(names)),
};

const GATES = new Set(["anchorBleed", "argKeyDebris"]);

/**
 * The hints of one or more tools by tool name, as they were given (the same reference).
 *
 * @throws TypeError naming the tool and the hint, for a word that is no hint or a value of the wrong shape
 */
export function defineToolHints<const T extends Readonly<Record<string, ToolHints>>>(hints: T): T {
  for (const [tool, own] of Object.entries(hints)) {
    const [problem] = toolHintsProblems(own);
    if (problem !== undefined) throw new TypeError(`hints of tool "${tool}": ${problem}`);
  }
  return hints;
}

/** What is wrong with a value that should be one tool's hints; empty when nothing is. Never throws. */
export function toolHintsProblems(hints: unknown): string[] {
  if (!isJsonObject(hints)) return ["not an object"];
  return Object.entries(hints).flatMap(([word, value]) => {
    if (!Object.hasOwn(CHECKS, word)) return [`"${word}" is no hint`];
    if (value === undefined) return [];
    return CHECKS[word as keyof ToolHints](value) ? [] : [`"${word}" has the wrong shape`];
  });
}

/** Whether every hint that is known has its shape. Words that are none are passed over, so that hints may be ahead of us. */
export function areUsableHints(hints: unknown): hints is ToolHints {
  if (!isJsonObject(hints)) return false;
  return Object.entries(CHECKS).every(([word, isRight]) => hints[word] === undefined || isRight(hints[word]));
}
