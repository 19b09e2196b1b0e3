// The engine: one cached check for a clean call; for a failing one, candidates from the table, each kept only if the
// subschema at its place takes it, then one copy and one last check of the whole. It never names an entry.

import { type Analysis, analyzeFailures } from "./analyzer.ts";
import { entriesFor } from "./dispatch.ts";
import { EditPlan } from "./edit-plan.ts";
import type { CallContext, Edit, FailureSite, RepairEntry } from "./failure-site.ts";
import { pointerDepth } from "./json-pointer.ts";
import { gotOf } from "./json-value.ts";
import { MAX_CANDIDATES, MAX_CHAIN, MAX_ERRORS, MAX_PATH_DEPTH, MAX_WAVES } from "./limits.ts";
import { mayBeItsItem } from "./list-schema.ts";
import { Refusals } from "./refusals.ts";
import { appliedRepair, mergeRepairs } from "./repair-note.ts";
import type { SubSchema } from "./sub-schema.ts";
import { type CheckedSchema, type ToolSchema, toolSchemaOf } from "./tool-schema.ts";
import type {
  AppliedRepair,
  BounceFailure,
  Expect,
  NonEmpty,
  RepairOptions,
  RepairResult,
  RepairTool,
} from "./types.ts";

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

function repairFailing(asked: RepairTool, args: unknown, options: RepairOptions | undefined): RepairResult {
  const known = toolSchemaOf(asked)!;
  const tool = known.ignoresHints ? { name: asked.name, parameters: asked.parameters } : asked;
  const schema = checkedFor(known, options);
  const run = new Repair({ tool, model: options?.model, root: args });
  try {
    const outcome = repairWhole(run, schema, args);
    if (outcome !== undefined) {
      const more = tool.hints === undefined ? undefined : repairAgain(schema, tool, options?.model, outcome);
      const repairs = mergeRepairs(more === undefined ? outcome.repairs : [...outcome.repairs, ...more.repairs]);
      if (!isNonEmpty(repairs)) return { outcome: "clean", args };
      return { outcome: "repaired", args: (more ?? outcome).value, repairs };
    }
  } catch (error) {
    // Nesting beyond the stack is the one fault that a check itself can have.
    if (!(error instanceof RangeError)) throw error;
    return { outcome: "bounced", failures: [limitFailure("maxDepth", args)] };
  }
  // Too much to look at is no fault of a call that the tool's own schema takes.
  if (run.hitLimit && schema.accepts?.(args)) return { outcome: "clean", args };
  return { outcome: "bounced", failures: run.failures(args) };
}

/** The whole arguments repaired, if both the schema with the hints and the tool's own take the result. */
function repairWhole(run: Repair, schema: CheckedSchema, args: unknown): Outcome | undefined {
  const outcome = run.repairValue(schema.document.root(), args, { wave: 1, chain: 0, base: "", field: "" });
  if (outcome === undefined || outcome.alsoItems.length > 0) return undefined;
  return schema.accepts?.(outcome.value) === false ? undefined : outcome;
}

/** What only the hints object to may be left over from a repair: the result is what it would be had it been sent. */
function repairAgain(
  schema: CheckedSchema,
  tool: RepairTool,
  model: string | undefined,
  { value }: Outcome,
): Outcome | undefined {
  return schema.check(value) ? undefined : repairWhole(new Repair({ tool, model, root: value }), schema, value);
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
  /** Items that belong behind the value in the list that holds it. */
  readonly alsoItems: readonly unknown[];
}

const NOTHING: readonly unknown[] = [];
const NOTHING_BESIDE: readonly (readonly [string, unknown])[] = [];

interface Settled {
  readonly edit: Edit;
  readonly repairs: readonly AppliedRepair[];
}

/** The work on one failing call. */
class Repair {
  private call: CallContext;
  private candidates = 0;
  private limit: string | undefined;
  private known: Refusals | undefined;

  constructor(call: CallContext) {
    this.call = call;
  }

  /** `value` repaired so that `schema` takes it (soft faults aside), or undefined. */
  repairValue(schema: SubSchema, value: unknown, step: Step): Outcome | undefined {
    const errors = schema.errors(value);
    if (errors.length === 0) return { value, repairs: [], alsoItems: NOTHING };
    if (errors.length > MAX_ERRORS) return this.stop("maxErrors");
    for (const error of errors) {
      if (error.path.length > MAX_PATH_DEPTH && pointerDepth(error.path) > MAX_PATH_DEPTH) return this.stop("maxDepth");
    }
    if (step.field === "" && this.call.root !== value) this.call = { ...this.call, root: value };
    const analysis = analyzeFailures(schema, value, step.field, errors, this.call);
    const plan = new EditPlan(value);
    const repairs: AppliedRepair[] = [];
    const open: FailureSite[] = [];
    for (const site of analysis.sites) {
      if (plan.covers(site.path)) continue;
      // A value that passes at its own place was blamed for another branch of a union: only the union can say more.
      // So is the one item of a list that the union takes in the list's place.
      const isBlamed = passesAlready(site) || mayBeItsItem(site.parentSchema, site.parent);
      const settled = isBlamed ? undefined : this.settle(site, step);
      if (settled !== undefined) {
        plan.accept(site, settled.edit);
        for (const repair of settled.repairs) repairs.push(repair);
      } else if (site.fields === undefined && !site.soft) open.push(site);
    }
    if (open.length > 0) this.settleUnions(open, analysis, plan, repairs, step);
    const left = open.filter((site) => !plan.covers(site.path));
    const result = plan.isEmpty ? value : plan.apply();
    if (left.length === 0 && this.takes(schema, result, step.field)) {
      return { value: result, repairs, alsoItems: plan.alsoItems };
    }
    this.refusals.refuse(left.length > 0 ? left : analysis.sites, step.base);
    if (plan.isEmpty || step.wave >= MAX_WAVES) return undefined;
    const next = this.repairValue(schema, result, { ...step, wave: step.wave + 1, chain: step.chain + 1 });
    if (next === undefined) return undefined;
    const alsoItems = [...plan.alsoItems, ...next.alsoItems];
    return { value: next.value, repairs: [...repairs, ...next.repairs], alsoItems };
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
      const settled = this.settleBranch(union, step) ?? this.settle(union, step);
      if (settled === undefined) continue;
      plan.accept(union, settled.edit);
      repairs.push(...settled.repairs);
    }
  }

  /** The value repaired for the branch that its own tags name: the validator may have blamed another. */
  private settleBranch(union: FailureSite, step: Step): Settled | undefined {
    const branch = union.schema?.branchFor(union.value);
    if (branch === undefined || step.chain >= MAX_CHAIN || mayBeItsItem(union.schema, union.value)) return undefined;
    const base = step.base + union.path;
    const nested = this.repairValue(branch, union.value, { ...step, chain: step.chain + 1, base, field: union.field });
    if (nested === undefined) this.refusals.blame(`${base}/*`);
    if (nested === undefined || nested.alsoItems.length > 0) return undefined;
    if (!this.takes(union.schema!, nested.value, union.field)) return undefined;
    return { edit: { kind: "set", value: nested.value }, repairs: nested.repairs };
  }

  private get refusals(): Refusals {
    this.known ??= new Refusals();
    return this.known;
  }

  get hitLimit(): boolean {
    return this.limit !== undefined;
  }

  /** Why the call bounces. */
  failures(args: unknown): NonEmpty<BounceFailure> {
    if (this.limit !== undefined) return [limitFailure(this.limit, args)];
    const failures = this.refusals.last;
    return isNonEmpty(failures) ? failures : [limitFailure("schema", args)];
  }

  private settle(site: FailureSite, step: Step): Settled | undefined {
    for (const entry of entriesFor(site.expect, site.got)) {
      this.candidates++;
      if (this.candidates > MAX_CANDIDATES) return this.stop("maxCandidates");
      const edit = entry.transform(site);
      if (edit === undefined) {
        if (entry.bounces !== true) continue;
        this.refusals.explain(step.base + site.path, entry.noteTemplate);
        return undefined;
      }
      if (entry.guard !== undefined && !entry.guard(site, edit)) continue;
      const kept = this.keep(site, entry, edit, step);
      if (kept !== undefined) return kept;
    }
    return undefined;
  }

  /** The edit, if the subschema at its place takes it or further steps make it so. */
  private keep(site: FailureSite, entry: RepairEntry, edit: Edit, step: Step): Settled | undefined {
    const own = appliedRepair(entry, site, edit, step.base);
    if (edit.kind === "drop") return site.required ? undefined : { edit, repairs: [own] };
    if (site.schema === undefined) return undefined;
    if (site.schema.passes(edit.value)) return { edit, repairs: [own] };
    const further = step.chain < MAX_CHAIN ? this.keepFurther(site, edit, step) : undefined;
    if (further !== undefined) return { edit: further.edit, repairs: [own, ...further.repairs] };
    return this.takes(site.schema, edit.value, site.field) ? { edit, repairs: [own] } : undefined;
  }

  /** One more step: inside the candidate where it is the right container, else with the candidate as the value. */
  private keepFurther(site: FailureSite, edit: Edit & { kind: "set" }, step: Step): Settled | undefined {
    const got = gotOf(edit.value);
    const chain = step.chain + 1;
    const isRightContainer = (got === "object" || got === "array") && site.expect.has(got);
    if (site.fields === undefined && !isRightContainer) {
      const next = this.settle({ ...site, value: edit.value, got }, { ...step, chain });
      return next === undefined ? undefined : chained(edit, next);
    }
    // The envelope around the whole call is no wave of its own; a container inside it is.
    const wave = site.fields !== undefined || site.field === "" ? step.wave : step.wave + 1;
    if (wave > MAX_WAVES) return undefined;
    const base = step.base + site.path;
    const nested = this.repairValue(site.schema!, edit.value, { wave, chain, base, field: site.field });
    if (nested === undefined) {
      // A bare value in a list says no more than the value did.
      const isWrapped = Array.isArray(edit.value) && edit.value[0] === site.value && typeof site.value !== "object";
      if (!isWrapped) this.refusals.blame(site.fields === undefined ? base : `${base}/`);
      return undefined;
    }
    const alsoItems = [...(edit.alsoItems ?? []), ...nested.alsoItems];
    // Further items have a place only in a list.
    if (nested.alsoItems.length > 0 && site.path !== "" && typeof site.key !== "number") return undefined;
    return { edit: { ...edit, value: nested.value, alsoItems }, repairs: nested.repairs };
  }

  /** Whether `schema` takes `value`, soft faults aside. */
  private takes(schema: SubSchema, value: unknown, field: string): boolean {
    if (schema.passes(value)) return true;
    if (this.call.tool.hints === undefined) return false;
    return analyzeFailures(schema, value, field, schema.errors(value), this.call).sites.every((site) => site.soft);
  }

  private stop(limit: string): undefined {
    this.limit = limit;
  }
}

/** The later edit with what the earlier one gave to others; undefined where the later one would lose that. */
function chained(first: Edit & { kind: "set" }, next: Settled): Settled | undefined {
  const siblings = first.siblings ?? NOTHING_BESIDE;
  const alsoItems = first.alsoItems ?? NOTHING;
  if (next.edit.kind === "drop") return siblings.length + alsoItems.length > 0 ? undefined : next;
  const edit = {
    ...next.edit,
    siblings: [...siblings, ...(next.edit.siblings ?? NOTHING_BESIDE)],
    alsoItems: [...alsoItems, ...(next.edit.alsoItems ?? NOTHING)],
  };
  return { edit, repairs: next.repairs };
}

function passesAlready(site: FailureSite): boolean {
  const isOfKind = site.expect.has(site.got as Expect) || (site.got === "integer" && site.expect.has("number"));
  return isOfKind && site.schema?.passes(site.value) === true;
}

function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

function limitFailure(keyword: string, args: unknown): BounceFailure {
  return { path: "", keyword, expected: "", got: gotOf(args), required: true };
}
