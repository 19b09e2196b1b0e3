// Splits a command's arguments into flags and names. Flags may stand anywhere; an unknown one is an error, never a name.
import { parseArgs } from "node:util";
import { plural } from "../replay/replay-table.ts";

export type CommandArguments =
  | {
      readonly ok: true;
      readonly names: readonly string[];
      readonly flags: ReadonlySet<string>;
      readonly values: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly message: string };

/**
 * @param flags names of flags without a value
 * @param valued names of flags with a value
 * @param most how many names there may be
 */
export function commandArguments(
  args: readonly string[],
  flags: readonly string[],
  most: number,
  valued: readonly string[] = [],
): CommandArguments {
  const options = Object.fromEntries([
    ...flags.map((name) => [name, { type: "boolean" as const }] as const),
    ...valued.map((name) => [name, { type: "string" as const }] as const),
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (positionals.length > most) return { ok: false, message: `At most ${plural(most, "name")} here` };
    const given = Object.entries(values);
    return {
      ok: true,
      names: positionals,
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      values: new Map(given.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []))),
    };
  } catch (error) {
    // Node goes on about names that begin with a dash; no name here does.
    const [what] = error instanceof Error ? error.message.split(". ") : [];
    return { ok: false, message: what ?? "The arguments were not understood" };
  }
}
