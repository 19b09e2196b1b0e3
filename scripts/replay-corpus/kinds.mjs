// The kinds of turns that a generated corpus is made of, each with what replay must say about it. Written from what the
// tools take and what pi 1.6.0 does with it; nothing here asks the repair step.

import { codeText, SECRET } from "./seeded.mjs";

const text = { type: "string" };
const number = { type: "number" };
const object = (required, properties) => ({ type: "object", required, properties });
const pair = object(["oldText", "newText"], { oldText: text, newText: text });

/** pi's tools and one of an extension, as a system message declares them. */
export const TOOLS = [
  { name: "read", parameters: object(["path"], { path: text, offset: number, limit: number }) },
  { name: "bash", parameters: object(["command"], { command: text, timeout: number }) },
  { name: "write", parameters: object(["path", "content"], { path: text, content: text }) },
  { name: "edit", parameters: object(["path", "edits"], { path: text, edits: { type: "array", items: pair } }) },
  {
    name: "set_labels",
    parameters: {
      ...object(["labels"], { labels: { type: "array", items: text }, rank: { type: "integer" } }),
      additionalProperties: false,
    },
  },
].map((tool) => ({ description: `The ${tool.name} tool`, ...tool }));

const path = (random) => `/home/${SECRET}/src/file-${Math.floor(random() * 1e4)}.ts`;
const invalid = (tool) => `Validation failed for tool "${tool}":\n  - ${SECRET}: missing\n\nReceived arguments:\n{}`;
const ran = (random) => ({ isError: false, text: codeText(random, 200 + Math.floor(random() ** 3 * 24_000)) });

/**
 * A call: its name and arguments, how it ended, and the verdict. `modes` are the names that it counts under.
 *
 * @type {Record<string, (random: () => number) => {name: string, args?: object, argumentsError?: string,
 *   result: {isError: boolean, text: string, nested?: object[]}, verdict: string, modes?: string[], bouncesNow?: boolean}>}
 */
export const CALLS = {
  read: (random) => ({ name: "read", args: { path: path(random), limit: 200 }, result: ran(random), verdict: "clean" }),
  bash: (random) => ({ name: "bash", args: { command: codeText(random, 80) }, result: ran(random), verdict: "clean" }),
  failedBash: (random) => ({
    ...{ name: "bash", args: { command: codeText(random, 80) }, verdict: "clean" },
    result: { isError: true, text: `${SECRET}\n\nCommand exited with code 1` },
  }),
  write: (random) => ({
    ...{ name: "write", args: { path: path(random), content: codeText(random, 3_000) } },
    ...{ result: { isError: false, text: `Wrote ${SECRET}` }, verdict: "clean" },
  }),
  edit: (random) => ({
    name: "edit",
    args: { path: path(random), edits: [{ oldText: codeText(random, 600), newText: codeText(random, 700) }] },
    ...{ result: { isError: false, text: `Edited ${SECRET}` }, verdict: "clean" },
  }),
  numberAsText: (random) => ({
    ...{ name: "read", args: { path: path(random), limit: "40" }, result: ran(random) },
    ...{ verdict: "alike", modes: ["numberFromString"] },
  }),
  otherNames: (random) => ({
    name: "edit",
    args: { file_path: path(random), edits: [{ old_string: codeText(random, 90), new_string: codeText(random, 90) }] },
    ...{ result: { isError: true, text: invalid("edit") }, verdict: "wouldRun", modes: ["aliasRename"] },
  }),
  brokenJson: (random) => {
    const sent = `{"path": "${path(random)}", "content": 'it''s ${SECRET}',}`.replace("''", "\\'");
    const argumentsError = `Unexpected token in JSON\n\nReceived arguments:\n${sent}`;
    return {
      ...{ name: "write", args: {}, argumentsError, verdict: "wouldRun", modes: ["rawArgumentsRead"] },
      result: { isError: true, text: `Invalid arguments for tool "write": ${argumentsError}` },
    };
  },
  otherToolName: (random) => ({
    ...{ name: "Read", args: { path: path(random) }, verdict: "wouldRun", modes: ["toolNameResolved"] },
    result: { isError: true, text: "Tool Read not found" },
  }),
  listAsText: () => ({
    ...{ name: "set_labels", args: { labels: `["${SECRET}","b"]` }, result: { isError: false, text: "labelled" } },
    ...{ verdict: "ranWrong", modes: ["jsonStringParse"] },
  }),
  fraction: () => ({
    ...{ name: "set_labels", args: { labels: [SECRET], rank: "4.5" }, result: { isError: false, text: "labelled" } },
    ...{ verdict: "ranWrong", modes: ["type"], bouncesNow: true },
  }),
  nullPath: (random) => ({
    ...{
      name: "write",
      args: { path: null, content: codeText(random, 90) },
      result: { isError: false, text: "Wrote" },
    },
    ...{ verdict: "ranWrong", modes: ["type"], bouncesNow: true },
  }),
  noContent: (random) => ({
    ...{ name: "write", args: { path: path(random) }, verdict: "stillBounces", modes: ["required"] },
    result: { isError: true, text: invalid("write") },
  }),
  cutJson: (random) => {
    const argumentsError = `Unexpected end of JSON input\n\nReceived arguments:\n{"path":"${path(random)}","content":"${SECRET}`;
    return {
      ...{ name: "write", args: {}, argumentsError, verdict: "stillBounces", modes: ["truncated"] },
      result: { isError: true, text: `Invalid arguments for tool "write": ${argumentsError}` },
    };
  },
  noSuchTool: () => ({
    ...{ name: SECRET, args: { [SECRET]: SECRET }, verdict: "stillBounces", modes: ["unknownTool"] },
    result: { isError: true, text: `Tool ${SECRET} not found` },
  }),
  nested: (random) => ({
    ...{ name: "bash", args: { command: SECRET }, verdict: "clean" },
    result: {
      ...ran(random),
      nested: [
        { id: "a/1", name: "read", arguments: { path: path(random) }, status: "ok", verdict: "clean" },
        {
          ...{
            id: "a/2",
            name: "read",
            arguments: { file_path: path(random) },
            status: "error",
            error: invalid("read"),
          },
          ...{ verdict: "wouldRun", modes: ["aliasRename"] },
        },
      ],
    },
  }),
};

/** Turns by weight: the calls they make, or what else they are. */
export const TURNS = [
  ...[
    [30, ["read"]],
    [24, ["bash"]],
    [6, ["failedBash"]],
    [10, ["write"]],
    [14, ["edit"]],
    [8, ["read", "read"]],
  ],
  ...[
    [3, ["numberAsText"]],
    [4, ["otherNames"]],
    [3, ["brokenJson"]],
    [2, ["otherToolName"]],
    [3, ["listAsText"]],
  ],
  ...[
    [2, ["fraction"]],
    [2, ["nullPath"]],
    [3, ["noContent"]],
    [2, ["cutJson"]],
    [1, ["noSuchTool"]],
    [2, ["nested"]],
  ],
  ...[
    [2, ["otherNames", "read"]],
    [1, ["otherNames", "noContent"]],
    [2, ["otherNames", "brokenJson"]],
  ],
].map(([weight, calls]) => ({ weight, calls }));
