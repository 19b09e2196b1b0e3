// Keys that models put around the whole arguments.

import type { FailureSite } from "./failure-site.ts";
import { isJsonObject } from "./json-value.ts";
import { foldKey } from "./key-folding.ts";

const WRAPPERS = new Set([
  ...["arguments", "parameters", "params", "input", "args", "kwargs"],
  ...["toolinput", "toolargs", "toolarguments", "actioninput"],
]);
/** Keys around a call that says its tool's name itself. */
const CALLS = new Set(["function", "functioncall", "toolcall", "tooluse"]);

/** Whether `key`, which the schema does not declare, may wrap the arguments: a wrapper word or the tool's own name. */
export function isWrapperKey(key: string, site: FailureSite): boolean {
  if (WRAPPERS.has(key)) return true;
  const folded = foldKey(key);
  if (folded === foldKey(site.call.tool.name)) return true;
  // Another spelling of a wrapper word may be one of a field.
  return WRAPPERS.has(folded) && !site.schema?.declaredKeys(site.value).some((field) => foldKey(field) === folded);
}

/** Whether `value` under `key` is a call of the tool that `tool` names, folded: `{"function": {"name": …, …}}`. */
export function isWrappedCall(key: string, value: unknown, tool: string): boolean {
  return isJsonObject(value) && CALLS.has(foldKey(key)) && foldKey(String(value["name"])) === tool;
}
