// One tool's compiled checks, cached by its schema object. The clean path asks only for `check`.

import { tightenSchema } from "./hinted-schema.ts";
import { NO_GATES, pathGatesOf } from "./model-gates.ts";
import { type PathGates, pathFormat } from "./path-debris.ts";
import { SchemaDocument } from "./sub-schema.ts";
import type { RepairTool, ToolHints } from "./types.ts";

/** The checks of one tool under one set of hints and model gates. */
export interface CheckedSchema {
  /** Valid and not suspect: nothing to do. */
  readonly check: (value: unknown) => boolean;
  /** The schema with hints in it, which says what is wrong. */
  readonly document: SchemaDocument;
  /** The tool's own schema: the last word. Compiled when first asked. */
  readonly accepts: (value: unknown) => boolean;
}

/** One tool's checks; `check` is that of models no gate names. */
export interface ToolSchema extends CheckedSchema {
  readonly hints: ToolHints | undefined;
  /** Whether the model matters; where it does not, this is the answer for all of them. */
  readonly isGated: boolean;
  /** The checks for one model. The last model's answer is kept, so a session asks once. */
  readonly forModel: (model: string) => CheckedSchema;
}

const BY_SCHEMA = new WeakMap<object, ToolSchema>();
const BY_HINTS = new WeakMap<object, WeakMap<ToolHints, ToolSchema>>();
const BROKEN = new WeakSet<object>();

/** The cached checks of `tool`, built on first use; undefined where its schema is none or does not compile. */
export function toolSchemaOf(tool: RepairTool): ToolSchema | undefined {
  const { parameters, hints } = tool;
  if (typeof parameters !== "object" || parameters === null) return undefined;
  const last = BY_SCHEMA.get(parameters);
  if (last !== undefined && last.hints === hints) return last;
  const known = hints === undefined ? undefined : BY_HINTS.get(parameters)?.get(hints);
  return known ?? built(parameters, hints);
}

/** Whether `tool` has a schema that this layer can check. */
export function hasToolSchema(tool: RepairTool): boolean {
  return toolSchemaOf(tool) !== undefined;
}

function built(parameters: object, hints: ToolHints | undefined): ToolSchema | undefined {
  if (BROKEN.has(parameters)) return undefined;
  try {
    const schema = {
      ...checked(parameters, hints, NO_GATES),
      hints,
      isGated: hints?.modelGates !== undefined,
      forModel: perModel(parameters, hints),
    };
    BY_SCHEMA.set(parameters, schema);
    if (hints !== undefined) {
      const byHints = BY_HINTS.get(parameters) ?? new WeakMap<ToolHints, ToolSchema>();
      BY_HINTS.set(parameters, byHints.set(hints, schema));
    }
    return schema;
  } catch {
    BROKEN.add(parameters);
    return undefined;
  }
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
  const tight = hints === undefined ? parameters : tightenSchema(parameters, hints, gates);
  const document = new SchemaDocument(tight);
  let own: SchemaDocument | undefined = tight === parameters ? document : undefined;
  const accepts = (value: unknown) => {
    own ??= new SchemaDocument(parameters);
    return own.check(value);
  };
  return { check: document.check, document, accepts };
}
