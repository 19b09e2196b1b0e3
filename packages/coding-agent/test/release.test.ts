// A release: one command gives all packages their version, and the manifests fit together afterwards.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "./memory/support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const { setVersion } = await import(new URL("../../../scripts/version.mjs", import.meta.url).href);
const FILES = ["ai", "agent", "coding-agent"].flatMap((name) => [
  `packages/${name}/package.json`,
  `packages/${name}/CHANGELOG.md`,
]);

test("one command sets every version and closes the changelogs", () => {
  const folder = tempFolder();
  for (const file of ["package.json", ...FILES]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  setVersion(folder, "3.2.1", "2030-01-02");
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  for (const file of ["package.json", ...FILES].filter((name) => name.endsWith(".json"))) {
    const manifest = JSON.parse(read(file));
    expect(manifest.version).toBe("3.2.1");
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, range] of Object.entries(all)) {
      if (name.startsWith("@pi-mend/")) expect(String(range)).toMatch(/^\^?3\.2\.1$/);
    }
  }
  for (const file of FILES.filter((name) => name.endsWith(".md"))) {
    expect(read(file)).toMatch(/^# Changelog\n\n## Unreleased\n\n## 3\.2\.1 \(2030-01-02\)\n\n- /);
  }
  expect(() => setVersion(folder, "3.2", "2030-01-02")).toThrow("not a version");
});
