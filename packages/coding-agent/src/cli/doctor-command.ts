// `doctor`: pi-mend's and pi's version, whether what pi-mend relies on holds, who else replaces built-in tools, and the state of the files.
// Starts pi twice with a probe and a model on loopback; `--no-probe` leaves that out.
import { isSupportedPi, SUPPORTED_RANGE } from "../core/supported-pi.ts";
import { memoryPaths } from "../memory/memory-paths.ts";
import { resolveSettings } from "../settings/resolve-settings.ts";
import { commandArguments } from "./command-arguments.ts";
import { type Conflict, conflictsIn } from "./doctor/conflicts.ts";
import { type FileState, fileStates } from "./doctor/file-states.ts";
import { type FoundPi, findPi } from "./doctor/find-pi.ts";
import { HOST_FACTS } from "./doctor/host-facts.ts";
import { probePi } from "./doctor/probe-pi.ts";
import { refused } from "./health-command.ts";
import { OWN_VERSION } from "./own-version.ts";
import type { Command, Shell } from "./shell.ts";

interface FactState {
  readonly fact: string;
  readonly holds: boolean;
  readonly without: string;
}

interface Diagnosis {
  /** pi-mend's own. */
  readonly version: string;
  readonly pi: { readonly file: string; readonly version: string | undefined } | undefined;
  /** Empty where pi was not probed. */
  readonly facts: readonly FactState[];
  readonly conflicts: readonly Conflict[];
  readonly files: readonly FileState[];
  readonly problems: readonly string[];
}

export const doctorCommand: Command = {
  name: "doctor",
  usage: "doctor [--pi <path>] [--no-probe] [--json]",
  about: "pi's version, what pi-mend relies on, conflicts, files",
  run: async (args, shell) => {
    const given = commandArguments(args, ["no-probe", "json"], 0, ["pi"]);
    if (!given.ok) return refused(shell, given.message);
    const diagnosis = await diagnose(shell, given.values.get("pi"), !given.flags.has("no-probe"));
    if (given.flags.has("json")) shell.write(`${JSON.stringify(diagnosis, null, 2)}\n`);
    else shell.write(`${textOf(diagnosis)}\n`);
    const isSound = diagnosis.facts.every((fact) => fact.holds) && diagnosis.problems.length === 0;
    return isSound && diagnosis.files.every((file) => file.problems.length === 0) ? 0 : 1;
  },
};

async function diagnose(shell: Shell, named: string | undefined, isProbed: boolean): Promise<Diagnosis> {
  const pi = findPi(shell.env, named);
  const problems: string[] = [];
  if (pi === undefined) problems.push("pi was not found; name it with --pi");
  else if (!isSupportedPi(pi.version)) {
    problems.push(`pi ${pi.version} is not supported (${SUPPORTED_RANGE}): pi-mend does nothing there`);
  }
  const { facts, conflicts } = pi !== undefined && isProbed ? await probed(pi, shell, problems) : NOT_PROBED;
  const { warnings, settings } = resolveSettings(shell);
  if (!settings.enabled) problems.push("PI_MEND=off: pi-mend is inert");
  // What is wrong in the settings file itself is said there.
  problems.push(...warnings.filter((warning) => warning.startsWith("PI_MEND")));
  const files = fileStates(memoryPaths(shell.env, shell.cwd), shell.now());
  return { version: OWN_VERSION, pi: pi && { file: pi.file, version: pi.version }, facts, conflicts, files, problems };
}

const NOT_PROBED = { facts: [], conflicts: [] };

async function probed(pi: FoundPi, shell: Shell, problems: string[]) {
  const alone = await probePi(pi, shell.env, shell.cwd, true);
  if (alone === undefined) {
    problems.push("pi did not start with a probe");
    return NOT_PROBED;
  }
  const facts = HOST_FACTS.map(({ fact, without, holds }) => ({ fact, holds: holds(alone), without }));
  const builtin = new Set(alone.sighting.tools.filter(({ source }) => source === "builtin").map(({ name }) => name));
  const own = await probePi(pi, shell.env, shell.cwd, false);
  if (own === undefined) problems.push("pi did not start with your extensions and a probe");
  return { facts, conflicts: own === undefined ? [] : conflictsIn(own.sighting.tools, builtin) };
}

function textOf({ version, pi, facts, conflicts, files, problems }: Diagnosis): string {
  const lines = [`pi-mend ${version}`];
  lines.push(pi === undefined ? "pi: not found" : `pi ${pi.version ?? "of unknown version"} (${pi.file})`);
  if (facts.length > 0) lines.push("", "What pi-mend relies on");
  for (const { fact, holds, without } of facts)
    lines.push(`  ${holds ? "ok " : "NO "} ${fact}${holds ? "" : `: ${without}`}`);
  if (facts.length > 0) lines.push("", "Built-in tools that other extensions replace");
  if (facts.length > 0 && conflicts.length === 0) lines.push("  none");
  for (const { tool, source } of conflicts) {
    lines.push(`  ${tool}: ${source} (repaired by its schema, without the hints of pi's own tool)`);
  }
  lines.push("", "Files");
  for (const { path, size, about, problems: faults } of files) {
    lines.push(`  ${path}: ${about}${size > 0 ? `, ${size} bytes` : ""}`);
    for (const fault of faults) lines.push(`      ${fault}`);
  }
  if (problems.length > 0) lines.push("", ...problems.map((problem) => `! ${problem}`));
  return lines.join("\n");
}
