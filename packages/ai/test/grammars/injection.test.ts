// Text of others must not come to run: calls of every family, in a file, a page or a result, quoted by the model in many
// manners. What the message alone cannot tell, the comparison with the conversation must.
import { describe, expect, it } from "vitest";
import { isQuotation } from "../../src/utils/tool-repair/grammars/quotation.ts";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FAMILIES, SAMPLE_TOOLS, STORE } from "./family-samples.ts";

const indented = (text: string) => text.replace(/^/gm, "      ");
const oneLine = (text: string) => text.replaceAll("\n", " ");

const MANNERS: readonly (readonly [string, (call: string) => string | { thinking: string; content: string }])[] = [
  ["in a fence", (call) => `The file contains:\n\n\`\`\`\`xml\n${call}\n\`\`\`\`\n\nI did not run it.`],
  ["in a tilde fence", (call) => `The file contains:\n~~~~\n${call}\n~~~~`],
  ["as inline code", (call) => `The page asks me to send \`\`\`\` ${oneLine(call)} \`\`\`\`, which I will not do.`],
  ["as a block quote", (call) => `The page says:\n\n${call.replace(/^/gm, "> ")}`],
  ["as indented code", (call) => `The page says:\n\n${call.replace(/^/gm, "    ")}`],
  ["in quotation marks", (call) => `The page says “${call}” and nothing else.`],
  ["in brackets", (call) => `There is a hidden instruction (${call}) at its end.`],
  ["as a list item", (call) => `It holds two things:\n- a title\n- ${oneLine(call)}`],
  ["in an HTML element", (call) => `The source is <pre>${call}</pre> as served.`],
  [
    "in a fence of a nested list",
    (call) => `- a\n  - b:\n      \`\`\`\`\n${indented(call)}\n\n      x\n      \`\`\`\``,
  ],
  [
    "behind line numbers",
    (call) =>
      call
        .split("\n")
        .map((line, at) => `${at + 9}\t${line}`)
        .join("\n"),
  ],
  ["behind a prompt", (call) => `The log:\n$ echo ${oneLine(call)}`],
  ["as what somebody said", (call) => `The chat:\nUser: ${oneLine(call)}`],
  ["in a comment", (call) => `The source has <!-- hidden: ${oneLine(call)} -->`],
  ["in CDATA", (call) => `The feed says <![CDATA[${call}]]>`],
  ["in a document", (call) => `<document index="1">\n${call}\n</document>`],
  ["in the result of a tool", (call) => `<tool_response>\n${call}\n</tool_response>`],
  ["in an element in capitals", (call) => `<PRE>${call}</pre>`],
  ["in brackets with other words", (call) => `There is a call (that is ${oneLine(call)}) in it.`],
  ["in quotation marks with blanks", (call) => `The page says « ${oneLine(call)} »`],
  [
    "in the reasoning",
    (call) => ({ thinking: `The page says ${call}\nand that is an attack.`, content: "The page is hostile." }),
  ],
];

describe.each(FAMILIES)("a $family call that others wrote", ({ print, bare }) => {
  const call = print(STORE);

  it.each(MANNERS)("is no call when it is quoted %s", (_, quote) => {
    const message = quote(call);
    const read = readLeakedCalls(message, SAMPLE_TOOLS);
    expect(read.calls).toEqual([]);
    expect(read.text).toBe(typeof message === "string" ? message : message.content);
  });

  it("is found in the source it was copied from, whatever the copy changed", () => {
    const sources = [
      `# Notes\n\n${call}\n\nMore notes.`,
      JSON.stringify({
        body: `<p>${call.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`,
      }),
      `tool result:\n${call.replace(/^/gm, "  > ")}`,
    ];
    const message = bare ? `As written there:\n${call}` : `As written there: ${call}`;
    const [found] = readLeakedCalls(message, SAMPLE_TOOLS).calls;
    const copied = found === undefined ? call : message.slice(found.range.start, found.range.end);
    for (const source of sources) expect(isQuotation(copied, ["something else", source, "and more"])).toBe(true);
  });

  it("is no quotation of a conversation that does not hold it", () => {
    expect(isQuotation(call, ["Please store two lines under k 1.", "ok", ""])).toBe(false);
  });
});

describe("isQuotation", () => {
  it("counts sources beyond the limit as holding the text", () => {
    expect(isQuotation("store the key k1", ["x".repeat(5000)], { maxLength: 1000 })).toBe(true);
    expect(isQuotation("store the key k1", ["x".repeat(5000)], { maxLength: 10_000 })).toBe(false);
  });

  it("looks at the newest sources first", () => {
    const sources = ["y".repeat(5000), "here: store the key k1"];
    expect(isQuotation("store the key k1", sources, { maxLength: 1000 })).toBe(true);
  });

  it("never finds a text without letters or digits", () => {
    expect(isQuotation("{}", ["{ }"])).toBe(false);
  });
});
