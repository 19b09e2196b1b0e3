// Arguments that a server's parser left in the tool name: `read<arg_key>path</arg_key><arg_value>a</arg_value>`. Runs on
// calls whose name is no tool. Only where the call has no other arguments and the whole rest of the name is such pairs.
import type { GuardedToolCall } from "./call-block.ts";
import type { GuardTurn } from "./guard-context.ts";
import { isObject } from "./settle-arguments.ts";

const KEY = "<arg_key>";
const KEY_END = "</arg_key>";
const VALUE = "<arg_value>";
const VALUE_END = "</arg_value>";
/** The record's name for arguments that came in the tool name. */
const NAME_ARGUMENTS_READ = "nameArgumentsRead";

/**
 * The call with the arguments its name holds; values are texts, as the grammar has them.
 *
 * @returns the same block when its name holds none, or anything else beside them
 */
export function ungluedCall(block: GuardedToolCall, turn: GuardTurn): GuardedToolCall {
  const at = block.name.indexOf(KEY);
  if (at <= 0 || block.argumentsError !== undefined) return block;
  const name = turn.toolName(block.name.slice(0, at));
  const empty = isObject(block.arguments) && Object.keys(block.arguments).length === 0;
  const args = empty && turn.isTool(name) ? readPairs(block.name, at) : undefined;
  if (args === undefined) return block;
  const repair = { names: [NAME_ARGUMENTS_READ], original: block.name };
  return { ...block, name, arguments: args, repair };
}

function readPairs(text: string, start: number): GuardedToolCall["arguments"] | undefined {
  const entries: [string, string][] = [];
  let at = start;
  while (text.startsWith(KEY, at)) {
    const keyEnd = text.indexOf(KEY_END, at);
    const valueStart = keyEnd + KEY_END.length;
    const valueEnd = text.indexOf(VALUE_END, valueStart);
    if (keyEnd < 0 || valueEnd < 0 || !text.startsWith(VALUE, valueStart)) return undefined;
    const key = text.slice(at + KEY.length, keyEnd);
    if (entries.some(([earlier]) => earlier === key)) return undefined;
    entries.push([key, text.slice(valueStart + VALUE.length, valueEnd)]);
    at = valueEnd + VALUE_END.length;
  }
  return text.slice(at).trim() === "" ? Object.fromEntries(entries) : undefined;
}
