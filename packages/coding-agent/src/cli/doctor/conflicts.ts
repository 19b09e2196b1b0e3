// Who else stands in for a built-in tool, by what a probe saw of pi's tools. This package's own `edit` is no conflict, from
// wherever the package was installed.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Probe } from "./probe-pi.ts";

export interface Conflict {
  readonly tool: string;
  readonly source: string;
}

/** Built-in tools that somebody else's extension stands in for. */
export function conflictsIn(tools: Probe["sighting"]["tools"], builtin: ReadonlySet<string>): readonly Conflict[] {
  return (
    tools
      .filter(({ name, source, path }) => builtin.has(name) && source !== "builtin" && !isOurs(path))
      // A package is named by where it was installed from, a single file by its path.
      .map(({ name, source, path }) => ({ tool: name, source: source.includes(":") || path === "" ? source : path }))
  );
}

/** Whether a file is one of a copy of this package: the manifest beside its folder says so. */
function isOurs(path: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dirname(path), "..", "package.json"), "utf8"));
    return (manifest as { name?: unknown } | null)?.name === "pi-mend";
  } catch {
    return false;
  }
}
