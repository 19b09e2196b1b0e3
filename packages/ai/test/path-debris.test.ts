// What is taken off a path and what never is, and that a plain path costs a look at its ends.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanPath,
  isPathFormat,
  type PathGates,
  pathFormat,
  SUSPECT_FORMATS,
} from "../src/utils/tool-repair/path-debris.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

const NONE: PathGates = { anchors: false, argTags: false };
const ANCHORS: PathGates = { anchors: true, argTags: false };
const TAGS: PathGates = { anchors: false, argTags: true };
const BOTH: PathGates = { anchors: true, argTags: true };

/** `[what, sent, path, gates]`; the same text stays as it is. */
const ROWS: readonly (readonly [string, string, string, PathGates?])[] = [
  ["an autolink of a name", "[notes.md](http://notes.md)", "notes.md"],
  ["an autolink by https", "[notes.md](https://notes.md)", "notes.md"],
  ["an autolink with a slash at the end", "[notes.md](http://notes.md/)", "notes.md"],
  ["an autolink behind folders", "src/[notes.md](http://notes.md)", "src/notes.md"],
  ["an autolink of a path", "[src/notes.md](https://src/notes.md)", "src/notes.md"],
  ["a link whose text is not its target", "[notes](http://host.test/notes.md)", "[notes](http://host.test/notes.md)"],
  ["a link with another name", "[a.md](http://b.md)", "[a.md](http://b.md)"],
  ["a folder named like a link", "app/[id](id)", "app/[id](id)"],
  ["an empty link", "[](http://notes.md)", "[](http://notes.md)"],
  ["a route with brackets", "app/[id]/page.tsx", "app/[id]/page.tsx"],
  ["a route with parentheses", "app/(shop)", "app/(shop)"],
  ["a route with both", "app/[id](copy)", "app/[id](copy)"],

  ["a file URL", "file:///srv/a.ts", "/srv/a.ts"],
  ["a file URL with an escape", "file:///srv/a%20b.ts", "/srv/a b.ts"],
  ["a file URL of a drive", "file:///C:/a.ts", "C:/a.ts"],
  ["a file URL of this host", "file://localhost/srv/a.ts", "/srv/a.ts"],
  ["a file URL of another host", "file://host/srv/a.ts", "file://host/srv/a.ts"],
  ["a file URL with a broken escape", "file:///srv/100%.ts", "file:///srv/100%.ts"],
  ["another scheme", "http://host.test/a.ts", "http://host.test/a.ts"],
  ["a name that begins like one", "file.ts", "file.ts"],
  ["an escape in a plain path", "a%20b.ts", "a%20b.ts"],

  ["a line break at the end", "src/a.ts\n", "src/a.ts"],
  ["a Windows line break at the end", "src/a.ts\r\n", "src/a.ts"],
  ["a line break inside", "src/a\nb.ts", "src/a\nb.ts"],
  ["nothing but a line break", "\n", "\n"],
  ["spaces around", " a.ts ", " a.ts "],

  ["backticks", "`src/a.ts`", "src/a.ts"],
  ["double quotes", '"src/a.ts"', "src/a.ts"],
  ["single quotes", "'src/a.ts'", "src/a.ts"],
  ["a quote at one end", "'a.ts", "'a.ts"],
  ["two quoted words", '"a" and "b"', '"a" and "b"'],
  ["an apostrophe inside", "it's/a.ts", "it's/a.ts"],
  ["nothing but quotes", '""', '""'],
  ["quotes and a line break", "`a.ts`\n", "a.ts"],

  ["anchors without a gate", "^src/a.ts$", "^src/a.ts$"],
  ["anchors with a gate", "^src/a.ts$", "src/a.ts", ANCHORS],
  ["one anchor with a gate", "src/a.ts$", "src/a.ts", ANCHORS],
  ["a dollar inside, with a gate", "src/$id.ts", "src/$id.ts", ANCHORS],
  ["nothing but an anchor, with a gate", "$", "$", ANCHORS],
  ["a tag without a gate", "a.ts</arg_value>", "a.ts</arg_value>"],
  ["a tag with a gate", "a.ts</arg_value>", "a.ts", TAGS],
  ["tags at both ends with a gate", "<arg_value>a.ts</arg_value>", "a.ts", TAGS],
  ["a tag inside, with a gate", "a</arg_key>b.ts", "a</arg_key>b.ts", TAGS],
  ["tags and anchors with both gates", "^a.ts$</arg_value>", "a.ts", BOTH],
  ["an empty path", "", ""],
];

describe("cleanPath", () => {
  test.each(ROWS.map(([what, sent, path, gates = NONE]) => ({ what, sent, path, gates })))(
    "$what: $sent",
    ({ sent, path, gates }) => {
      expect(cleanPath(sent, gates)).toBe(path);
    },
  );

  test("never changes what it already cleaned, and never invents a character", () => {
    const piece = fc.constantFrom(
      "a",
      "b.ts",
      "/",
      "[",
      "](",
      ")",
      "`",
      '"',
      "'",
      "\n",
      "^",
      "$",
      "<arg_key>",
      "</arg_value>",
      "file://",
      "/srv",
      " ",
      "%20",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(NONE, ANCHORS, TAGS, BOTH), (pieces, gates) => {
        const sent = pieces.join("");
        const path = cleanPath(sent, gates);
        expect(path.length).toBeLessThanOrEqual(sent.length);
        if (!sent.includes("%")) expect(sent).toContain(path.replace(/^src\//, ""));
        if (sent !== "") expect(path === "" && sent.trim() !== "").toBe(false);
        expect(SUSPECT_FORMATS[pathFormat(gates)]!(sent)).toBe(path === sent);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the formats of path fields", () => {
  test("have one name for each set of gates", () => {
    const names = [NONE, ANCHORS, TAGS, BOTH].map(pathFormat);
    expect(new Set(names).size).toBe(4);
    expect(Object.keys(SUSPECT_FORMATS).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(isPathFormat(name)).toBe(true);
    for (const other of ["uri", "path", "", undefined, 5]) expect(isPathFormat(other)).toBe(false);
  });

  test("pass a plain path and refuse one with markup", () => {
    for (const gates of [NONE, ANCHORS, TAGS, BOTH]) {
      const passes = SUSPECT_FORMATS[pathFormat(gates)]!;
      for (const plain of ["a.ts", "/srv/a.ts", "app/[id]/(x)", "..", "C:\\a.ts", "~/a", "@a.ts"])
        expect(passes(plain)).toBe(true);
      for (const marked of ["`a.ts`", "a.ts\n", "file:///a.ts"]) expect(passes(marked)).toBe(false);
    }
  });
});

describe("path fields of a tool", () => {
  const hints = {
    pathFields: ["path", "files[]", "jobs[].target"],
    modelGates: { anchorBleed: ["kimi"], argKeyDebris: ["glm"] },
  };
  const text = { type: "string" };
  const tool = {
    name: "probe",
    hints,
    parameters: {
      type: "object",
      properties: {
        path: text,
        files: { type: "array", items: text },
        jobs: { type: "array", items: { type: "object", properties: { target: text, body: text } } },
        body: text,
      },
    },
  };
  const argsOf = (args: unknown, model?: string): unknown => {
    const result = repairToolArguments(tool, args, { model });
    return result.outcome === "bounced" ? undefined : result.args;
  };

  test("are cleaned in lists and in the objects of lists; content beside them keeps every character", () => {
    const body = "`x`\n";
    expect(argsOf({ path: "`a`", files: ["b", "c\n"], jobs: [{ target: '"d"', body }], body })).toEqual({
      path: "a",
      files: ["b", "c"],
      jobs: [{ target: "d", body }],
      body,
    });
  });

  test("follow the gates of the model, and of that model only", () => {
    const args = { path: "^a$" };
    expect(argsOf(args, "kimi-k2")).toEqual({ path: "a" });
    expect(argsOf(args, "KIMI-K2")).toEqual({ path: "a" });
    for (const model of ["glm-5", "other", "", undefined]) expect(argsOf(args, model)).toBe(args);
    expect(argsOf({ path: "a</arg_value>" }, "glm-5")).toEqual({ path: "a" });
    expect(argsOf(args, "kimi-k2")).toEqual({ path: "a" });
  });

  test("are left alone where the markup is all there is to clean and cleaning changes nothing", () => {
    for (const path of ["[notes](http://host.test/a)", "it's", "(a)", "\n"]) {
      const args = { path };
      expect(argsOf(args)).toBe(args);
    }
  });
});
