// The check of what pi-mend brings along: it fails where something is wrong, and says so where nobody could be asked.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const { auditVerdict, RUNTIME, supplyFaults } = await import(new URL("scripts/check-audit.mjs", ROOT).href);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));
// biome-ignore lint/suspicious/noExplicitAny: manifests that the tests break
type Manifests = Record<string, any>;
const manifests = (): Manifests => ({
  "": read("package.json"),
  ...Object.fromEntries(Object.keys(RUNTIME).map((name) => [name, read(`packages/${name}/package.json`)])),
});

test("the packages bring along nothing else, and every entry of the lock file has its hash", () => {
  expect(supplyFaults(read("package-lock.json"), manifests())).toEqual([]);
});

test.each<[string, (all: Manifests) => object, RegExp]>([
  [
    "a new dependency",
    (all) => Object.assign(all["coding-agent"], { dependencies: { zod: "4.0.0" } }),
    /depends on zod/,
  ],
  ["an optional one", (all) => Object.assign(all["ai"], { optionalDependencies: { zod: "4.0.0" } }), /depends on zod/],
  ["a range", (all) => Object.assign(all[""].devDependencies, { vitest: "^5.0.0" }), /vitest \^5\.0\.0: not an exact/],
])("%s is a fault", (_, change, fault) => {
  const all = manifests();
  change(all);
  expect(supplyFaults(read("package-lock.json"), all)).toEqual([expect.stringMatching(fault)]);
});

test.each([
  ["no hash", { integrity: undefined }, /node_modules\/vite: no sha512/],
  ["a weak hash", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, /no sha512/],
  ["another source", { resolved: "git+ssh://git@example.com/a/b.git" }, /from git/],
])("%s is a fault", (_, change, fault) => {
  const lock = read("package-lock.json");
  Object.assign(lock.packages["node_modules/vite"], change);
  expect(supplyFaults(lock, manifests())).toEqual([expect.stringMatching(fault)]);
});

test.each([
  ["clean", '{"metadata":{"vulnerabilities":{"high":0,"total":0}}}', ""],
  [
    "vulnerable",
    '{"vulnerabilities":{"a":{"name":"a","severity":"high"}},"metadata":{"vulnerabilities":{"total":1}}}',
    "",
  ],
  ["unanswered", '{"message":"405 Method Not Allowed - POST https://registry","method":"POST"}', ""],
  ["unanswered", '{"error":{"code":"ENOTFOUND","summary":"request failed"}}', ""],
  ["unanswered", "", "npm error network\nnpm error getaddrinfo ENOTFOUND"],
  ["unanswered", "{}", ""],
])("what npm audit prints is read as %s: %s", (kind, stdout, stderr) => {
  expect(auditVerdict(stdout, stderr)).toEqual({ kind, text: expect.stringMatching(/./) });
});
