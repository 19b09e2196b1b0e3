// What a model reads when its call bounced in the same way as the one before: the failing places, the whole schema, one
// valid call, and that sending it again will not help. Never a value that the model sent.
import { formatBounce, type RepairTool } from "@pi-mend/ai/tool-repair";
import { compactSchema } from "./compact-schema.ts";
import { exampleCall } from "./example-call.ts";
import type { PreparedToolCall } from "./prepare-tool-call.ts";

/** The identical failure, counted from one, from which on the advice is another one. */
export const STUBBORN_AFTER = 2;

/**
 * The bounced call with the changed advice as its message and in its block.
 *
 * @param count how many identical failures there are, this one included
 */
export function stubbornBounce(
  bounced: Extract<PreparedToolCall, { readonly outcome: "bounced" }>,
  tool: RepairTool,
  count: number,
): typeof bounced {
  const { failures } = bounced;
  // Without a schema the text ends behind the failing places: the schema and the example below say the rest.
  const places = failures && formatBounce({ outcome: "bounced", failures }, { name: tool.name, parameters: undefined });
  const schema = compactSchema(tool.parameters);
  const example = exampleCall(tool);
  const message = [
    places ?? bounced.message,
    `This call failed ${count} times in the same way: sending it again will fail again. Change it as follows.`,
    ...(schema === undefined ? [] : [`The arguments of "${tool.name}" must match this JSON Schema:`, schema]),
    ...(example === undefined ? [] : ["A valid call has these arguments:", example]),
  ].join("\n");
  return { ...bounced, message, block: { ...bounced.block, argumentsError: message } };
}
