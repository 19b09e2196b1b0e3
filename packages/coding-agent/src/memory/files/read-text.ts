// Reads a text file that may be anything: links are followed as pi follows them; what is no regular file, or larger than
// anything pi-mend writes, is not opened, so that a pipe or a device cannot hold pi up. Never throws.
import { readFileSync, statSync } from "node:fs";

export type TextFile =
  | { readonly ok: true; readonly text: string; readonly isSharedWrite: boolean }
  | { readonly ok: false; readonly why: "missing" | "no-file" | "too-large" | "unreadable" };

/** @returns the text without the mark that editors of some systems put before it, and whether every user of the machine may write it (never on Windows, whose modes do not say) */
export function readText(path: string, maxBytes: number): TextFile {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { ok: false, why: "no-file" };
    if (file.size > maxBytes) return { ok: false, why: "too-large" };
    const isSharedWrite = process.platform !== "win32" && (file.mode & 0o002) !== 0;
    return { ok: true, text: readFileSync(path, "utf8").replace(/^\uFEFF/, ""), isSharedWrite };
  } catch (error) {
    return { ok: false, why: (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unreadable" };
  }
}
