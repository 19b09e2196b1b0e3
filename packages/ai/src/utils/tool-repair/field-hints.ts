// What the hints say about one field, with the few spellings that hold for any tool. Data look-ups only.

import type { FailureSite } from "./failure-site.ts";

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

/** Declared spellings of the field `key` of the object at `site`; the common ones where none are declared. */
export function aliasesOf(site: FailureSite, key: string): readonly string[] {
  const declared = site.call.tool.hints?.aliases?.[fieldName(site.field, key)];
  if (declared !== undefined) return declared;
  return site.fields?.missing.includes(key) ? (COMMON_ALIASES[key] ?? []) : [];
}

/** Whether the owner declared spellings for this field of the object at `site`. */
export function hasDeclaredAliases(site: FailureSite, key: string): boolean {
  return site.call.tool.hints?.aliases?.[fieldName(site.field, key)] !== undefined;
}

/** Whether the field at `site` holds a shell command. */
export function isShellField(site: FailureSite): boolean {
  const fields = site.call.tool.hints?.shellFields ?? COMMON_SHELL_FIELDS;
  return fields.includes(site.field);
}

/** The hint name of a field inside the object `holder`. */
export function fieldName(holder: string, key: string): string {
  return holder === "" ? key : `${holder}.${key}`;
}
