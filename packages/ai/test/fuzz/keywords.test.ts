// The fuzz knows every keyword: those that pi-schema checks, and those that the repair layer reads in a schema. Both lists
// come from the sources, so a keyword that is added there fails here until schemas are generated with it.

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyTool } from "../repairs/schema-arbitrary.ts";

const SCHEMA_PACKAGE = fileURLToPath(new URL(".", import.meta.resolve("@earendil-works/pi-schema")));
const OURS = fileURLToPath(new URL("../../src/utils/tool-repair/", import.meta.url));

/** Words of a schema that no check and no repair depends on, or that are no schema's. */
const NOT_GENERATED = new Set([
  // Of OpenAPI, read only for calls that were printed as text; JSON Schema does not know it.
  "nullable",
]);

const read = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder }).map((name) => readFileSync(`${folder}/${name}`, "utf8"));

/** What pi-schema asks of a schema node: `node.minimum`. */
function checkedKeywords(): Set<string> {
  const names = read(SCHEMA_PACKAGE, "{compiler,annotations,resolver,explain}.js").flatMap((text) =>
    [...text.matchAll(/\bnode\.(\$?[a-zA-Z]+)/g)].map(([, name]) => name!),
  );
  return new Set(names);
}

/** What the repair layer asks of one: `node["minimum"]`, and the words in its lists of keywords. */
function readKeywords(): Set<string> {
  const texts = read(OURS, "**/*.ts");
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:node|at|schema|branch|b)!?\["(\$?[a-zA-Z]+)"\]/g)].map(([, name]) => name!),
  );
  const listed = texts.flatMap((text) =>
    [...text.matchAll(/^const (?:SINGLE|MAPS|LISTS|KEPT_WORDS|ANNOTATIONS) = [^;]+;/gm)].flatMap(([list]) =>
      [...list.matchAll(/"(\$?[a-zA-Z]+)"/g)].map(([, name]) => name!),
    ),
  );
  return new Set([...asked, ...listed]);
}

test("the lists are read from the sources", () => {
  expect([...checkedKeywords()]).toEqual(expect.arrayContaining(["$dynamicRef", "dependentSchemas", "minContains"]));
  expect([...readKeywords()]).toEqual(expect.arrayContaining(["$id", "prefixItems", "unevaluatedItems", "const"]));
});

test("schemas are generated with every keyword that pi-schema checks or the repair layer reads", () => {
  const drawn = fc.sample(anyTool, { numRuns: 3_000, seed: 1 }).map(({ parameters }) => JSON.stringify(parameters));
  const missing = [...checkedKeywords(), ...readKeywords()].filter(
    (word) => !NOT_GENERATED.has(word) && drawn.filter((text) => text.includes(`"${word}":`)).length < 5,
  );
  expect([...new Set(missing)]).toEqual([]);
});
