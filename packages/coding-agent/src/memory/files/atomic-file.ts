// Replaces a file by another in one step: a reader sees the old text or the new one, never a part. Used under a lock.
import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

let written = 0;

/**
 * Writes `text` beside `path` and renames it there. Throws what the disk says, and then leaves `path` as it was.
 *
 * @param isStillDue asked right before the rename; where it says no, nothing is replaced
 * @returns whether the file was replaced
 */
export async function replaceFile(path: string, text: string, isStillDue: () => Promise<boolean>): Promise<boolean> {
  const beside = `${path}.${process.pid}-${++written}.tmp`;
  try {
    const file = await open(beside, "w", 0o600);
    try {
      await file.writeFile(text);
      // Without this a power cut may leave an empty file under the final name.
      await file.datasync();
    } finally {
      await file.close();
    }
    if (!(await isStillDue())) {
      await rm(beside, { force: true });
      return false;
    }
    await rename(beside, path);
    return true;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Removes what writers of `path` that were killed left beside it. Never throws. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(".tmp"));
  for (const name of drafts) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
