// One tool's compiled checks, cached by its schema object. The clean path asks only for `check`.

import { areUsableHints } from "./define-tool-hints.ts";
import { tightenSchema } from "./hinted-schema.ts";
import { NO_GATES, pathGatesOf } from "./model-gates.ts";
import { type PathGates, pathFormat } from "./path-debris.ts";
import { plainCallCheck } from "./plain-call.ts";
import { SchemaDocument } from "./sub-schema.ts";
import type { RepairTool, ToolHints } from "./types.ts";

/** The checks of one tool under one set of hints and model gates. */
export interface CheckedSchema {
  /** Valid under `document`: nothing to do. */
  readonly check: (value: unknown) => boolean;
  /** The quick yes of a tool that is plain enough: true means `check` would be true. */
  readonly plain: ((value: unknown) => boolean) | undefined;
  /** The schema with hints in it, which says what is wrong. */
  readonly document: SchemaDocument;
  /** The tool's own schema: the last word, compiled when first asked. Undefined where `document` is that schema. */
  readonly accepts: ((value: unknown) => boolean) | undefined;
}

/** One tool's checks. */
export interface ToolSchema {
  readonly hints: ToolHints | undefined;
  /** The hints are none, as a host without types may pass them: the schema counts without. */
  readonly ignoresHints: boolean;
  /** The checks for a model that no gate names. */
  readonly ungated: CheckedSchema;
  /** The checks for one model; undefined where the model does not matter. The last model's answer is kept. */
  readonly forModel: ((model: string) => CheckedSchema) | undefined;
}

const BY_SCHEMA = new WeakMap<object, ToolSchema>();
const BY_HINTS = new WeakMap<object, WeakMap<ToolHints, ToolSchema>>();
/** In the place of hints for a tool without: a bounce asks for its own schema between calls that have them. */
const NO_HINTS: ToolHints = {};
const BROKEN = new WeakSet<object>();

/** The cached checks of `tool`, built on first use; undefined where its schema is none or does not compile. */
export function toolSchemaOf(tool: RepairTool): ToolSchema | undefined {
  const last = BY_SCHEMA.get(tool.parameters as object);
  return last !== undefined && last.hints === tool.hints ? last : lookedUp(tool);
}

function lookedUp({ parameters, hints }: RepairTool): ToolSchema | undefined {
  if (typeof parameters !== "object" || parameters === null) return undefined;
  const key = keyOf(hints);
  const known = key && BY_HINTS.get(parameters)?.get(key);
  if (known === undefined) return built(parameters, hints);
  BY_SCHEMA.set(parameters, known);
  return known;
}

/** Whether `tool` has a schema that this layer can check. */
export function hasToolSchema(tool: RepairTool): boolean {
  return toolSchemaOf(tool) !== undefined;
}

function built(parameters: object, hints: ToolHints | undefined): ToolSchema | undefined {
  if (BROKEN.has(parameters)) return undefined;
  try {
    const usable = areUsableHints(hints) ? hints : undefined;
    const forModel = usable?.modelGates === undefined ? undefined : perModel(parameters, usable);
    const ungated = checked(parameters, usable, NO_GATES);
    const schema: ToolSchema = { hints, ignoresHints: usable !== hints, ungated, forModel };
    BY_SCHEMA.set(parameters, schema);
    const key = keyOf(hints);
    if (key !== undefined) {
      const byHints = BY_HINTS.get(parameters) ?? new WeakMap<ToolHints, ToolSchema>();
      BY_HINTS.set(parameters, byHints.set(key, schema));
    }
    return schema;
  } catch {
    BROKEN.add(parameters);
    return undefined;
  }
}

/** What a schema's checks are kept under; undefined for hints that are none and cannot be a key. */
function keyOf(hints: ToolHints | undefined): ToolHints | undefined {
  if (hints === undefined) return NO_HINTS;
  return typeof hints === "object" && hints !== null ? hints : undefined;
}

function perModel(parameters: object, hints: ToolHints | undefined): (model: string) => CheckedSchema {
  const byGates = new Map<string, CheckedSchema>();
  let last: { model: string; schema: CheckedSchema } | undefined;
  return (model) => {
    if (last?.model === model) return last.schema;
    const gates = pathGatesOf(hints, model);
    const key = pathFormat(gates);
    const schema = byGates.get(key) ?? checked(parameters, hints, gates);
    byGates.set(key, schema);
    last = { model, schema };
    return schema;
  };
}

/** Throws where the schema does not compile. */
function checked(parameters: object, hints: ToolHints | undefined, gates: PathGates): CheckedSchema {
  const tight = hints === undefined ? parameters : tightenSchema(parameters, hints, pathFormat(gates));
  const document = new SchemaDocument(tight);
  if (tight === parameters)
    return { check: document.check, plain: plainCallCheck(tight), document, accepts: undefined };
  let own: SchemaDocument | undefined;
  const accepts = (value: unknown) => {
    own ??= new SchemaDocument(parameters);
    return own.check(value);
  };
  return { check: document.check, plain: plainCallCheck(tight), document, accepts };
}
