// What the hints say about one field, with the few spellings that hold for any tool. Data look-ups only.

import type { FailureSite } from "./failure-site.ts";
import type { ToolHints } from "./types.ts";

/**
 * Spellings of a field that mean the same in every harness we know, used where a required field of that name is
 * missing and its owner declared no aliases. Facts from the alias tables of public harnesses (Claude Code, Cursor,
 * Cline, Gemini CLI, OpenCode).
 */
const COMMON_ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: [
    "file_path",
    "filePath",
    "filepath",
    "file",
    "absolute_path",
    "absolutePath",
    "pathname",
    "target_file",
    "targetFile",
  ],
};

/** Fields that hold a shell command wherever they occur, for tools without hints. */
const COMMON_SHELL_FIELDS: readonly string[] = ["command"];

/** The spellings that hold for a missing field `key` without hints; none for most. */
export function commonAliases(key: string): readonly string[] {
  return Object.hasOwn(COMMON_ALIASES, key) ? COMMON_ALIASES[key]! : [];
}

/** The spellings that `hints` declare for one field path; undefined where they declare none. */
export function declaredAliases(hints: ToolHints | undefined, field: string): readonly string[] | undefined {
  const aliases = hints?.aliases;
  return aliases !== undefined && Object.hasOwn(aliases, field) ? aliases[field] : undefined;
}

/** Whether the field at `site` holds a shell command. */
export function isShellField(site: FailureSite): boolean {
  const fields = site.call.tool.hints?.shellFields ?? COMMON_SHELL_FIELDS;
  return fields.includes(site.field);
}

/** The hint name of a field inside the object `holder`; with "" the prefix that all of its fields share. */
export function fieldName(holder: string, key: string): string {
  return holder === "" ? key : `${holder}.${key}`;
}
