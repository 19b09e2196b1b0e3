// Moves a file that cannot be understood out of the way, under a name that says when. Never deletes what it holds.
import { renameSync } from "node:fs";

/** @returns where the file is now, or `undefined` where it could not be moved (it then stays, and is ignored) */
export function setAside(path: string, now: number): string | undefined {
  const aside = `${path}.broken-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}
