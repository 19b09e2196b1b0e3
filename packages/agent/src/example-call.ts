// One valid example of a tool's arguments, made from its schema alone. Made only for a call that failed twice in the same
// way. Never holds a value that a model sent, and is never shown unless it passes the schema.
import { callSkeleton, type RepairTool, repairToolArguments } from "@pi-mend/ai/tool-repair";

const MAX_LENGTH = 1_000;

/** Compact JSON of arguments that pass the schema, or `undefined` where none can be made from it. */
export function exampleCall(tool: RepairTool): string | undefined {
  for (const candidate of candidatesOf(tool.parameters)) {
    const text = JSON.stringify(candidate);
    if (text.length <= MAX_LENGTH && repairToolArguments(tool, candidate).outcome === "clean") return text;
  }
  return undefined;
}

/** The schema's own examples, then the skeleton that a first bounce shows. */
function* candidatesOf(schema: unknown): Iterable<object> {
  if (typeof schema !== "object" || schema === null) return;
  const { examples } = schema as { examples?: unknown };
  if (Array.isArray(examples)) yield* examples.filter((example) => typeof example === "object" && example !== null);
  let skeleton: string | undefined;
  try {
    skeleton = callSkeleton(schema, new Set());
  } catch {
    return; // A schema that refers to itself in ways no example ends.
  }
  if (skeleton !== undefined) yield JSON.parse(skeleton);
}
