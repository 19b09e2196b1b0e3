// What a model reads when its call bounces: each failing place with what was expected there and the type that came, then
// one correct skeleton. Never a value that the model sent: models copy what an error shows them.

import type { FailureSite } from "./failure-site.ts";
import { decodeSegment, readablePath, safeLine } from "./json-pointer.ts";
import { callSkeleton, schemaFragment } from "./schema-skeleton.ts";
import { toolSchemaOf } from "./tool-schema.ts";
import type { BounceFailure, RepairResult, RepairTool } from "./types.ts";

const SHOWN_FAILURES = 8;
const SHOWN_KEYS = 20;

/** The failure at `site`, which is at `pointer` in the call. */
export function bounceFailure(site: FailureSite, pointer: string, reason: string | undefined): BounceFailure {
  const allowed = site.expect.has("nothing") ? allowedKeys(site) : undefined;
  return {
    path: pointer,
    keyword: site.keyword,
    expected: schemaFragment(site.schema),
    got: site.got,
    required: site.required,
    ...(allowed === undefined ? {} : { allowedKeys: allowed }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The keys that may stand where `site` has one that may not; one list for all such keys of an object. */
function allowedKeys({ key, parent, parentSchema }: FailureSite): readonly string[] {
  const declared = parentSchema?.declaredKeys(parent) ?? [];
  // Declared, but never to be sent.
  const isDeclared = parentSchema?.declares(String(key), parent) === true;
  return isDeclared ? declared.filter((name) => name !== key) : declared;
}

/**
 * The text of a bounce, without the prefix that pi puts before it (`Invalid arguments for tool "x": `). At most eight
 * failures are listed. "" for a result that did not bounce. Same result, same text.
 */
export function formatBounce(result: RepairResult, tool: RepairTool): string {
  if (result.outcome !== "bounced") return "";
  const lines = result.failures.slice(0, SHOWN_FAILURES).map((failure) => `  - ${failureLine(failure)}`);
  const more = result.failures.length - SHOWN_FAILURES;
  if (more > 0) lines.push(`  - and ${more} more`);
  return ["the call was not run.", ...lines, ...adviceFor(tool, result.failures)].map(safeLine).join("\n");
}

/** One correct call; where none can be made from the schema, the names of the fields that every call needs. */
function adviceFor(tool: RepairTool, failures: readonly BounceFailure[]): string[] {
  const document = toolSchemaOf({ name: tool.name, parameters: tool.parameters })?.ungated.document;
  if (document === undefined) return [];
  const skeleton = skeletonOf(document.schema, failures);
  if (skeleton !== undefined && document.check(JSON.parse(skeleton))) {
    return ["Send the call again with arguments of this shape:", skeleton];
  }
  const required = [...document.root().requiredKeys({})].slice(0, SHOWN_KEYS);
  return required.length === 0 ? [] : [`Send the call again; it needs: ${required.join(", ")}`];
}

function failureLine(failure: BounceFailure): string {
  const path = readablePath(failure.path);
  if (failure.allowedKeys !== undefined) {
    const keys = failure.allowedKeys.slice(0, SHOWN_KEYS).join(", ");
    const more = failure.allowedKeys.length > SHOWN_KEYS ? ", ..." : "";
    return `${path}: this key is not allowed here${keys === "" ? "" : `; allowed: ${keys}${more}`}`;
  }
  // Nothing was expected of a text that could not be read at all: the reason is the whole message.
  if (failure.expected === "" && failure.reason !== undefined) return `${path}: ${failure.reason}`;
  const expected = failure.expected === "" ? "" : `expected ${failure.expected}, `;
  const got = failure.got === "missing" ? "but it is missing" : `got ${failure.got}`;
  const need = failure.required && failure.got === "missing" ? " (required)" : "";
  const keyword = failure.keyword === "type" || failure.keyword === "required" ? "" : ` (${failure.keyword})`;
  return `${path}: ${expected}${got}${need}${keyword}${failure.reason === undefined ? "" : `; ${failure.reason}`}`;
}

/** Fields that failed are shown in the skeleton even where they are optional: the model tried to send them. */
function skeletonOf(parameters: object, failures: readonly BounceFailure[]): string | undefined {
  const failed = failures.slice(0, SHOWN_FAILURES).map(({ path }) => decodeSegment(path.split("/")[1] ?? ""));
  try {
    return callSkeleton(parameters, new Set(failed));
  } catch {
    return undefined; // A schema that refers to itself in ways no example ends is taught by its failing places alone.
  }
}
