// The speaker of the text protocol: what a model without tools is told. One line a tool, a fixed header, two worked examples
// made of the live tools. The same tools give the same bytes.

import { type EnvelopeForm, printEnvelope } from "./envelope-forms.ts";
import { isJsonObject } from "./json-value.ts";
import { projectFields } from "./project-schema.ts";
import type { RepairTool } from "./types.ts";

/** A tool with what it is for. */
export interface PrimerTool extends RepairTool {
  readonly description?: string | undefined;
}

const RULES = `- Inside is one whole JSON object with the arguments. Line breaks in strings are \\n, quotes are \\".
- Several calls: print several envelopes. Then stop: the results come with the next message. Never write results yourself.
- Use only the tools and argument names below. \`?\` marks what may be left out, \`=\` what then holds.`;
const NO_CODE_BLOCK = "- No envelope in a code block; what stands there is not run.";
const NO_OTHER_BLOCK = "- What stands in any other code block is not run.";
const LONGEST_PURPOSE = 80;

/**
 * The section of the system prompt that teaches the protocol; "" without tools.
 *
 * @param form the envelope to teach; the listener takes every form
 */
export function renderPrimer(tools: readonly PrimerTool[], form: EnvelopeForm = "pi-call"): string {
  if (tools.length === 0) return "";
  const lines = tools.map(renderToolLine);
  const examples = exampleCalls(tools, form);
  const shown = examples.length === 0 ? [] : ["", examples.length > 1 ? "Examples:" : "Example:", ...examples];
  return [header(form), "", ...lines, ...shown, ""].join("\n");
}

function header(form: EnvelopeForm): string {
  const shown = printEnvelope("TOOL", '{"argument": "value"}', form);
  const where = form === "fence" ? "" : ", on a line of its own";
  const last = form === "fence" ? NO_OTHER_BLOCK : NO_CODE_BLOCK;
  return `# Tools\nYou call a tool by printing its envelope${where}:\n${shown}\n${RULES}\n${last}`;
}

/** `name(arg:type, opt:type?=default) - purpose`: required arguments first, each group in the schema's order. */
export function renderToolLine(tool: PrimerTool): string {
  const purpose = purposeOf(tool.description);
  return `${tool.name}(${projectFields(tool.parameters)})${purpose === "" ? "" : ` - ${purpose}`}`;
}

/** The description's first sentence, cut at a word. */
function purposeOf(description: string | undefined): string {
  const line = (description ?? "").trim().replace(/\s+/g, " ");
  const end = /[.!?](?=\s|$)/.exec(line);
  const sentence = end === null ? line : line.slice(0, end.index);
  if (sentence.length <= LONGEST_PURPOSE) return sentence;
  const cut = sentence.lastIndexOf(" ", LONGEST_PURPOSE);
  return `${sentence.slice(0, cut > 0 ? cut : LONGEST_PURPOSE)}…`;
}

/** The simplest call there is, and one with a list of objects where a tool takes one. */
function exampleCalls(tools: readonly PrimerTool[], form: EnvelopeForm): readonly string[] {
  const samples = tools.flatMap((tool) => {
    const args = sampleObject(tool.parameters, 0);
    return args === undefined ? [] : [{ tool, args, text: JSON.stringify(args) }];
  });
  const withList = samples.filter(({ args }) => Object.values(args).some(isListOfObjects));
  const rank = ({ args, text }: { args: object; text: string }) => (Object.keys(args).length === 0 ? 1e6 : text.length);
  const simple = [...samples].sort((a, b) => rank(a) - rank(b))[0];
  const second = withList.find((sample) => sample !== simple);
  return [simple, second].flatMap((sample) =>
    sample === undefined ? [] : [printEnvelope(sample.tool.name, sample.text, form)],
  );
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && isJsonObject(value[0]);
}

/** The required fields with sample values; undefined where a field has no plain sample. */
function sampleObject(schema: unknown, depth: number): Record<string, unknown> | undefined {
  if (depth > 3) return undefined;
  const node = isJsonObject(schema) ? schema : {};
  const properties = isJsonObject(node["properties"]) ? node["properties"] : {};
  const required = Array.isArray(node["required"]) ? node["required"] : [];
  const args: Record<string, unknown> = {};
  for (const key of required) {
    const value = typeof key === "string" ? sampleValue(properties[key], key, depth) : undefined;
    if (value === undefined) return undefined;
    args[key as string] = value;
  }
  return args;
}

function sampleValue(schema: unknown, key: string, depth: number): unknown {
  const node = isJsonObject(schema) ? schema : {};
  const choices = Array.isArray(node["enum"]) ? node["enum"] : [];
  if (choices.length > 0) return choices[0];
  if ("const" in node) return node["const"];
  const type = Array.isArray(node["type"]) ? node["type"][0] : node["type"];
  if (type === "string") return sampleText(key);
  if (type === "number" || type === "integer") return typeof node["minimum"] === "number" ? node["minimum"] : 1;
  if (type === "boolean") return true;
  if (type === "object") return sampleObject(node, depth + 1);
  if (type !== "array") return undefined;
  const item = sampleValue(node["items"], key, depth + 1);
  return item === undefined ? undefined : [item];
}

/** A string that reads like a value of its field: the field's name in words, or a file name where it holds one. */
function sampleText(key: string): string {
  if (/path|file/i.test(key)) return "notes.txt";
  if (/url|uri/i.test(key)) return "https://example.com";
  return key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}
