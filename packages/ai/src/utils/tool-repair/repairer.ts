// The engine: one cached check for a clean call; for a failing one, candidates from the table, each kept only if the
// subschema at its place takes it, then one copy and one last check of the whole. It never names an entry.

import { type Analysis, analyzeFailures } from "./analyzer.ts";
import { bounceFailures } from "./bounce.ts";
import { entriesFor } from "./dispatch.ts";
import { EditPlan } from "./edit-plan.ts";
import type { CallContext, Edit, FailureSite, RepairEntry } from "./failure-site.ts";
import { pointerDepth } from "./json-pointer.ts";
import { gotOf } from "./json-value.ts";
import { MAX_CANDIDATES, MAX_CHAIN, MAX_ERRORS, MAX_PATH_DEPTH, MAX_WAVES } from "./limits.ts";
import { appliedRepair, mergeRepairs } from "./repair-note.ts";
import type { SubSchema } from "./sub-schema.ts";
import { type CheckedSchema, type ToolSchema, toolSchemaOf } from "./tool-schema.ts";
import type { AppliedRepair, BounceFailure, NonEmpty, RepairOptions, RepairResult, RepairTool } from "./types.ts";

/**
 * Checks `args` against `tool.parameters`; repairs what fails where the table has exactly one reading.
 *
 * - valid: `{outcome: "clean", args}` with the same reference.
 * - repaired: a new value that passes the schema; what did not change is shared with `args`, which is never modified.
 * - bounced: why, by path; `args` is untouched.
 *
 * A tool without a schema, or with one that does not compile, is `clean`: the host takes the call as it would without
 * this layer. Never throws.
 */
export function repairToolArguments(tool: RepairTool, args: unknown, options?: RepairOptions): RepairResult {
  return isClean(tool, args, options) ? { outcome: "clean", args } : repairFailing(tool, args, options);
}

/** The clean path: one cached check, small enough to be inlined into its callers. */
function isClean(tool: RepairTool, args: unknown, options: RepairOptions | undefined): boolean {
  const known = toolSchemaOf(tool);
  if (known === undefined) return true;
  const schema = checkedFor(known, options);
  try {
    // Two call sites, so that each sees one kind of check.
    return schema.plain === undefined ? schema.check(args) : schema.plain(args);
  } catch {
    return false; // Nested beyond the stack: the failing path says so.
  }
}

function checkedFor(known: ToolSchema, options: RepairOptions | undefined): CheckedSchema {
  return known.forModel === undefined || options?.model === undefined ? known.ungated : known.forModel(options.model);
}

function repairFailing(tool: RepairTool, args: unknown, options: RepairOptions | undefined): RepairResult {
  const schema = checkedFor(toolSchemaOf(tool)!, options);
  const run = new Repair({ tool, model: options?.model, root: args });
  try {
    const outcome = run.repairValue(schema.document.root(), args, { wave: 1, chain: 0, base: "", field: "" });
    if (outcome !== undefined && schema.accepts(outcome.value)) {
      const repairs = mergeRepairs(outcome.repairs);
      if (!isNonEmpty(repairs)) return { outcome: "clean", args };
      return { outcome: "repaired", args: outcome.value, repairs };
    }
  } catch (error) {
    // Nesting beyond the stack is the one fault that a check itself can have.
    if (!(error instanceof RangeError)) throw error;
    return { outcome: "bounced", failures: [limitFailure("maxDepth", args)] };
  }
  return { outcome: "bounced", failures: run.failures(args) };
}

interface Step {
  readonly wave: number;
  readonly chain: number;
  /** Pointer and field name of the value in the call. */
  readonly base: string;
  readonly field: string;
}

interface Outcome {
  readonly value: unknown;
  readonly repairs: readonly AppliedRepair[];
}

interface Settled {
  readonly edit: Edit;
  readonly repairs: readonly AppliedRepair[];
}

/** The work on one failing call. */
class Repair {
  private readonly call: CallContext;
  private candidates = 0;
  private limit: string | undefined;
  private open: readonly FailureSite[] = [];
  private reasons: Map<string, string> | undefined;

  constructor(call: CallContext) {
    this.call = call;
  }

  /** `value` repaired so that `schema` takes it (soft faults aside), or undefined. */
  repairValue(schema: SubSchema, value: unknown, step: Step): Outcome | undefined {
    const errors = schema.errors(value);
    if (errors.length === 0) return { value, repairs: [] };
    if (errors.length > MAX_ERRORS) return this.stop("maxErrors");
    for (const error of errors) {
      if (error.path.length > MAX_PATH_DEPTH && pointerDepth(error.path) > MAX_PATH_DEPTH) return this.stop("maxDepth");
    }
    const analysis = analyzeFailures(schema, value, step.field, errors, this.call);
    const plan = new EditPlan(value);
    const repairs: AppliedRepair[] = [];
    const open: FailureSite[] = [];
    for (const site of analysis.sites) {
      if (plan.covers(site.path)) continue;
      const settled = this.settle(site, step);
      if (settled !== undefined) {
        plan.accept(site, settled.edit);
        for (const repair of settled.repairs) repairs.push(repair);
      } else if (site.fields === undefined && !site.soft) open.push(site);
    }
    if (open.length > 0) this.settleUnions(open, analysis, plan, repairs, step);
    const left = open.filter((site) => !plan.covers(site.path));
    if (step.base === "" && step.wave === 1 && step.chain === 0) this.open = left.length > 0 ? left : open;
    if (left.length > 0) {
      if (plan.isEmpty || step.wave >= MAX_WAVES) return undefined;
      const next = this.repairValue(schema, plan.apply(), { ...step, wave: step.wave + 1 });
      return next === undefined ? undefined : { value: next.value, repairs: [...repairs, ...next.repairs] };
    }
    const result = plan.isEmpty ? value : plan.apply();
    return this.takes(schema, result, step.field) ? { value: result, repairs } : undefined;
  }

  /** Where the branch that the validator blamed has no repair, the union around it may: each is tried once. */
  private settleUnions(
    open: readonly FailureSite[],
    analysis: Analysis,
    plan: EditPlan,
    repairs: AppliedRepair[],
    step: Step,
  ): void {
    const tried = new Set<string>();
    for (const site of open) {
      const union = plan.covers(site.path) ? undefined : analysis.around(site.path);
      if (union === undefined || tried.has(union.path) || plan.covers(union.path)) continue;
      tried.add(union.path);
      const settled = this.settle(union, step);
      if (settled === undefined) continue;
      plan.accept(union, settled.edit);
      repairs.push(...settled.repairs);
    }
  }

  /** Why the call bounces. */
  failures(args: unknown): NonEmpty<BounceFailure> {
    if (this.limit !== undefined) return [limitFailure(this.limit, args)];
    const [first, ...rest] = bounceFailures(this.open, this.reasons ?? new Map());
    return [first ?? limitFailure("schema", args), ...rest];
  }

  private settle(site: FailureSite, step: Step): Settled | undefined {
    for (const entry of entriesFor(site.expect, site.got)) {
      this.candidates++;
      if (this.candidates > MAX_CANDIDATES) return this.stop("maxCandidates");
      const edit = entry.transform(site);
      if (edit === undefined) {
        if (entry.bounces !== true) continue;
        this.reasons ??= new Map();
        this.reasons.set(site.path, entry.noteTemplate);
        return undefined;
      }
      if (entry.guard !== undefined && !entry.guard(site, edit)) continue;
      const kept = this.keep(site, entry, edit, step);
      if (kept !== undefined) return kept;
    }
    return undefined;
  }

  /** The edit, if the subschema at its place takes it or one more step makes it so. */
  private keep(site: FailureSite, entry: RepairEntry, edit: Edit, step: Step): Settled | undefined {
    const own = appliedRepair(entry, site, edit, step.base);
    if (edit.kind === "drop") return site.required ? undefined : { edit, repairs: [own] };
    if (site.schema === undefined) return undefined;
    if (this.takes(site.schema, edit.value, site.field)) return { edit, repairs: [own] };
    if (step.chain >= MAX_CHAIN) return undefined;
    const got = gotOf(edit.value);
    const inside = { ...step, chain: step.chain + 1, base: step.base + site.path, field: site.field };
    if (
      site.fields !== undefined ||
      (got === "object" && site.expect.has("object")) ||
      (got === "array" && site.expect.has("array"))
    ) {
      // The envelope around the whole call is no wave of its own; a container inside it is.
      const wave = site.fields !== undefined || site.field === "" ? step.wave : step.wave + 1;
      if (wave > MAX_WAVES) return undefined;
      const nested = this.repairValue(site.schema, edit.value, { ...inside, wave });
      return nested === undefined
        ? undefined
        : { edit: { ...edit, value: nested.value }, repairs: [own, ...nested.repairs] };
    }
    const next = this.settle({ ...site, value: edit.value, got }, { ...step, chain: step.chain + 1 });
    if (next === undefined || next.edit.kind === "drop")
      return next === undefined ? undefined : { edit: next.edit, repairs: [own, ...next.repairs] };
    const siblings = [...(edit.siblings ?? []), ...(next.edit.siblings ?? [])];
    return { edit: { ...next.edit, siblings }, repairs: [own, ...next.repairs] };
  }

  /** Whether `schema` takes `value`, soft faults aside. */
  private takes(schema: SubSchema, value: unknown, field: string): boolean {
    if (schema.passes(value)) return true;
    if (this.call.tool.hints === undefined) return false;
    const errors = schema.errors(value);
    if (errors.length > 32) return false;
    return analyzeFailures(schema, value, field, errors, this.call).sites.every((site) => site.soft);
  }

  private stop(limit: string): undefined {
    this.limit = limit;
  }
}

function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

function limitFailure(keyword: string, args: unknown): BounceFailure {
  return { path: "", keyword, expected: "", got: gotOf(args), required: true };
}
