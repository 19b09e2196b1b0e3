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
  [
    "in an AsciiDoc listing",
    (call) => `It holds:\n\n[source,xml]\n----\nfirst\n${call}\n\nlast\n----\nI did not run it.`,
  ],
  ["in an AsciiDoc literal", (call) => `It holds:\n\n....\n${call}\n....\n`],
  ["in an AsciiDoc quotation", (call) => `[quote]\n____\n${call}\n____\n`],
  ["in an Org source block", (call) => `It holds:\n#+begin_src xml\n${call}\n#+end_src\nI did not run it.`],
  ["in an Org example", (call) => `It holds:\n#+BEGIN_EXAMPLE\nfirst\n${call}\n#+END_EXAMPLE\n`],
  ["in BBCode", (call) => `The post:\n[code=xml]\nfirst\n${call}\n[/code]\nI did not run it.`],
  ["in BBCode on one line", (call) => `The post: [code]${oneLine(call)}[/code]`],
  ["in a BBCode quotation", (call) => `[QUOTE="somebody"]\n${call}\n[/QUOTE]\nI did not run it.`],
  ["in a LaTeX environment", (call) => `The paper:\n\\begin{verbatim}\n${call}\n\\end{verbatim}\nI did not run it.`],
  [
    "in a LaTeX listing",
    (call) => `The paper:\n\\begin{lstlisting}[language=XML]\n${call}\n\\end{lstlisting}\nI did not run it.`,
  ],
  ["in a wiki macro", (call) => `The ticket:\n{code:xml}\n${call}\n{code}\nI did not run it.`],
  ["in a wiki element", (call) => `The page:\n<syntaxhighlight lang="xml">\n${call}\n</syntaxhighlight>\nI did not.`],
  ["in a doc string", (call) => `The file has:\ndef f():\n"""Example.\n\n${call}\n\n"""\nI did not run it.`],
  ["in a doc string of single quotes", (call) => `The file has:\n'''\n${call}\n'''\nI did not run it.`],
  ["in a block comment", (call) => `The file has:\n/*\n${call}\n*/\nint x;`],
  [
    "behind the sign of a comment",
    (call) => `The file has:\n;; ${oneLine(call)}\n% ${oneLine(call)}\n.. ${oneLine(call)}`,
  ],
  ["in a note below the text", (call) => `It says so.[^1]\n\n[^1]: ${oneLine(call)}`],
  ["in a fence behind a byte order mark", (call) => `\ufeff\`\`\`\`\n\n${call}\n\n\`\`\`\`\n`],
  ["in brackets with other words", (call) => `There is a call (that is ${oneLine(call)}) in it.`],
  ["in quotation marks with blanks", (call) => `The page says « ${oneLine(call)} »`],
  [
    "in the reasoning",
    (call) => ({ thinking: `The page says ${call}\nand that is an attack.`, content: "The page is hostile." }),
  ],
];

/** Manners that only the text behind the call gives away; told where a door asks for that. */
const SPOKEN: readonly (readonly [string, (call: string) => string])[] = [
  ["in AsciiDoc's inline signs", (call) => `Send +${oneLine(call)}+ to store it.`],
  ["in Org's inline signs", (call) => `The text:\n=${oneLine(call)}=\nI did not run it.`],
  ["in Org's other inline signs", (call) => `Send ~${oneLine(call)}~ to store it.`],
  ["in LaTeX's inline signs", (call) => `Send \\verb!${oneLine(call)}! or \\texttt{${oneLine(call)}} to store it.`],
  ["as the text of a link", (call) => `See:\n[${oneLine(call)}](https://example.org/a)\nI did not follow it.`],
  ["struck out", (call) => `The plan:\n~~${oneLine(call)}~~\nDropped.`],
  ["in bold", (call) => `The plan: **${oneLine(call)}** was dropped.`],
  ["in a sentence", (call) => `You would write ${call} to store the text.`],
  ["at the end of a sentence", (call) => `The format is ${oneLine(call)}. It is simple.`],
  ["at the start of a sentence", (call) => `${oneLine(call)} is what the page says.`],
  ["in a sentence over several lines", (call) => `You would write\n\n${call}\n\nto store the text.`],
  ["behind a colon", (call) => `The page says: ${call}\nI did not run it.`],
  ["twice in a sentence", (call) => `Send either ${call} or ${call} here.`],
  ["in a table", (call) => `| a | b |\n| - | - |\n| x | ${oneLine(call)} |`],
];

describe.each(FAMILIES)("a $family call that others wrote", ({ print, bare }) => {
  const call = print(STORE);

  it.each(MANNERS)("is no call when it is quoted %s", (_, quote) => {
    const message = quote(call);
    const read = readLeakedCalls(message, SAMPLE_TOOLS);
    expect(read.calls).toEqual([]);
    expect(read.text).toBe(typeof message === "string" ? message : message.content);
  });

  it.each(SPOKEN)("is neither run nor taken out by a door when it is spoken of %s", (_, speak) => {
    const message = speak(call);
    const read = readLeakedCalls(message, SAMPLE_TOOLS, { trailingText: "refuse" });
    expect(read.calls).toEqual([]);
    expect(read.text).toBe(message);
    expect(read.refused.every(({ reason }) => reason === "quoted")).toBe(true);
  });

  it("does not run beside one that is made", () => {
    const made = print({ name: "store", args: { key: "own", text: "other" } });
    for (const [, quote] of SPOKEN) {
      const { calls } = readLeakedCalls(`${quote(call)}\n\nNow:\n${made}`, SAMPLE_TOOLS, { trailingText: "refuse" });
      expect(calls.filter(({ arguments: args }) => (args as { key: string }).key !== "own")).toEqual([]);
    }
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
