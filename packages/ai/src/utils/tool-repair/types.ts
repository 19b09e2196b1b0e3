// The vocabulary of the repair layer: what goes in, what comes back, and the shape of one table entry.
// Types only; nothing here runs.

/** One thing the lenient reader overlooked, by name (see `read-raw-arguments.ts`). */
export type ForgivenName = import("./forgiven.ts").ForgivenName;

/**
 * What a tool's owner knows about its arguments beyond the schema. All of it is data: no code path knows a tool's
 * name. Field paths are dotted from the root, `[]` steps into list items: `path`, `edits[].oldText`.
 */
export interface ToolHints {
  /** Field path → other spellings models use for its last segment. Order is irrelevant: two present spellings bounce. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** The field a bare root string means, where the schema's one required string field is not the answer. */
  readonly rootField?: string;
  /** A list field and the keys of one item that models send beside it instead of inside it. */
  readonly fold?: { readonly into: string; readonly fields: readonly string[] };
  /** Fields that hold a shell command: an argv list or a `{cmd}` wrapper is read as the command. */
  readonly shellFields?: readonly string[];
  /** Fields that name a file or folder: markup around the path is removed, content is never touched. */
  readonly pathFields?: readonly string[];
  /** Object paths (`""` is the root, `edits[]` an item) whose open schema counts as closed. */
  readonly closed?: readonly string[];
  /** Model families whose grammar leaks into this tool's values, by what leaks. */
  readonly modelGates?: {
    /** Regex anchors around path-like fields, for these model id fragments. */
    readonly anchorBleed?: readonly string[];
    /** `arg_key`/`arg_value` debris in keys, for these model id fragments. */
    readonly argKeyDebris?: readonly string[];
  };
}

/** A tool as the layer sees it: pi's `Tool` fits as it is. `parameters` is any JSON Schema. */
export interface RepairTool {
  readonly name: string;
  readonly parameters: unknown;
  readonly hints?: ToolHints | undefined;
}

/** Options of one `repairToolArguments` call. */
export interface RepairOptions {
  /** Model id; opens the gates that `hints.modelGates` declares. */
  readonly model?: string | undefined;
}

/** JSON's types as a value shows them, plus `missing` for a key that is not there. */
export type Got = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null" | "missing";

/**
 * What a sub-schema takes: JSON types, `enum` for a closed set of values, `nothing` for an undeclared key, `fields` for
 * an object whose required or undeclared keys are the fault.
 */
export type Expect =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "object"
  | "array"
  | "null"
  | "enum"
  | "nothing"
  | "fields";

/** One repair that was made: the entry's name, where, and the sentence that teaches it. */
export interface AppliedRepair {
  /** Registry entry name (a `RepairName`). */
  readonly name: string;
  /** JSON Pointer to the repaired value in the arguments as sent. */
  readonly path: string;
  /** The entry's note with path and expectation filled in: what was wrong and the right form. Never a value. */
  readonly note: string;
  /** What the lenient reader overlooked, where a string was read as JSON. */
  readonly forgiven?: readonly ForgivenName[];
}

/** One reason for a bounce. Holds positions and types, never a value that the model sent. */
export interface BounceFailure {
  /** JSON Pointer to the failing value. */
  readonly path: string;
  /** The schema keyword that failed, or the name of a bounce entry or limit. */
  readonly keyword: string;
  /** The schema fragment expected there, as compact JSON (bounded, see `bounce.ts`), or "" for an undeclared key. */
  readonly expected: string;
  readonly got: Got;
  readonly required: boolean;
  /** Keys the object takes, when an undeclared key is the fault. */
  readonly allowedKeys?: readonly string[];
  /** Why no repair was made, where an entry refused (one clause, no values). */
  readonly reason?: string;
}

export type NonEmpty<T> = readonly [T, ...T[]];

/** The verdict. `clean` hands back the same reference; `repaired` a new value; `bounced` claims nothing. */
export type RepairResult =
  | { readonly outcome: "clean"; readonly args: unknown }
  | { readonly outcome: "repaired"; readonly args: unknown; readonly repairs: NonEmpty<AppliedRepair> }
  | { readonly outcome: "bounced"; readonly failures: NonEmpty<BounceFailure> };
