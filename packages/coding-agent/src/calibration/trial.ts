// The trials of a calibration: what a model is asked, which call that needs, and what its answer must hold to show that it
// read the result. Made anew for every round trip, so that nothing of an earlier one helps. Data; nothing here is sent.
import type { RepairTool } from "@pi-mend/ai/tool-repair";

export interface Trial {
  readonly tool: RepairTool & { readonly description: string };
  readonly task: string;
  /** Whether the arguments are those that the task asks for. */
  readonly isAsked: (args: Readonly<Record<string, unknown>>) => boolean;
  readonly result: string;
  /** What only somebody who read the result can say. */
  readonly proof: string;
}

function fieldsOf(...names: readonly string[]): object {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names, additionalProperties: false };
}

/** A small task of the kind that a coding agent has; that a call is needed is for the model to find out. */
export function taskTrial(code: () => string): Trial {
  const count = code();
  return {
    tool: { name: "read", description: "Read the contents of a file", parameters: fieldsOf("path") },
    task: "How many apples does the file stock.txt list? Look it up and answer with that number.",
    isAsked: ({ path }) => path === "stock.txt" || path === "./stock.txt",
    result: `pears: 12\napples: ${count}\nplums: 7\n`,
    proof: count,
  };
}

/** The plainest call there is, asked for by name. */
export function echoTrial(code: () => string): Trial {
  const [text, receipt] = [`ping ${code()}`, code()];
  return {
    tool: { name: "echo", description: "Echo a text and return a receipt", parameters: fieldsOf("text") },
    task: `Call the tool echo with the text "${text}". When its result is there, answer with the receipt number in it.`,
    isAsked: (args) => args["text"] === text,
    result: `${text}\nreceipt: ${receipt}\n`,
    proof: receipt,
  };
}
