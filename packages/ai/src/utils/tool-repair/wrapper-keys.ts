// Keys that models put around the whole arguments.

import type { FailureSite } from "./failure-site.ts";
import { foldKey } from "./key-folding.ts";

const WRAPPERS = new Set(["arguments", "parameters", "params", "input", "args"]);

/** Whether `key`, which the schema does not declare, may wrap the arguments: a wrapper word or the tool's own name. */
export function isWrapperKey(key: string, site: FailureSite): boolean {
  return WRAPPERS.has(key) || foldKey(key) === foldKey(site.call.tool.name);
}
