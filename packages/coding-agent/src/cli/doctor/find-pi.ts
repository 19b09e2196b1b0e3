// Finds the pi that a shell would start, and its version. Nothing is started here.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Environment } from "../../settings/environment.ts";

export interface FoundPi {
  /** What to start: a script for Node, or a program. */
  readonly file: string;
  readonly isScript: boolean;
  readonly version: string | undefined;
}

/** @param named where the user says pi is; otherwise it is looked for on the path */
export function findPi(env: Environment, named?: string): FoundPi | undefined {
  const places =
    named === undefined ? (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "pi")) : [named];
  const found = places.find((place) => place !== "pi" && existsSync(place));
  if (found === undefined) return undefined;
  const file = realpathSync(found);
  return { file, isScript: /\.[cm]?js$/.test(file), version: versionAbove(file) };
}

function versionAbove(file: string): string | undefined {
  for (let folder = dirname(file), up = 0; up < 6; folder = dirname(folder), up++) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (typeof manifest.version === "string" && typeof manifest.name === "string") return manifest.version;
    } catch {
      // No manifest here; the next folder may have one.
    }
  }
  return undefined;
}
