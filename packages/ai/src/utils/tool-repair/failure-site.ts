// One place where a value failed, as a table entry sees it, and the change an entry may propose there.

import type { SubSchema } from "./sub-schema.ts";
import type { Expect, ForgivenName, Got, RepairTool } from "./types.ts";

/** What all sites of one call share. */
export interface CallContext {
  readonly tool: RepairTool;
  readonly model: string | undefined;
  /** The whole arguments, as sent or as the envelope and key repairs left them. */
  readonly root: unknown;
}

/** The keys at fault in one object. */
export interface FieldFault {
  /** Required keys that are absent, or null where null is refused. */
  readonly missing: readonly string[];
  /** Keys that are there and not declared, in the order sent. */
  readonly undeclared: readonly string[];
}

/** A failing place. `expect` and `got` come from sub-schema and value, never from a message. */
export interface FailureSite {
  /** JSON Pointer in the value that was checked. */
  readonly path: string;
  /** The same place as hints name it: `edits[].oldText`, "" for the root. */
  readonly field: string;
  readonly keyword: string;
  readonly expect: ReadonlySet<Expect>;
  readonly got: Got;
  readonly value: unknown;
  /** The subschema here; undefined for a key that nothing declares. */
  readonly schema: SubSchema | undefined;
  /** Whether the holder needs this key (a list item is always needed). */
  readonly required: boolean;
  readonly key: string | number | undefined;
  readonly parent: unknown;
  readonly parentSchema: SubSchema | undefined;
  /** Set where `expect` is `fields`. */
  readonly fields: FieldFault | undefined;
  /** A fault only under the hints: without a repair the call is valid as it is. */
  readonly soft: boolean;
  readonly call: CallContext;
}

/** A proposed change of the value at a site. Only `repairer.ts` applies it. */
export type Edit =
  | {
      readonly kind: "set";
      readonly value: unknown;
      /** Keys of the holder that get these values as well. */
      readonly siblings?: readonly (readonly [string, unknown])[];
      /** Items that go into the holding list right behind this one. */
      readonly alsoItems?: readonly unknown[];
      readonly forgiven?: readonly ForgivenName[];
      /** Field names for the note's `{detail}`: what was sent and what it is here. Never a value. */
      readonly detail?: string;
    }
  | { readonly kind: "drop" };

/** One row of the table. Its parts are data and pure functions; the engine never names an entry. */
export interface RepairEntry {
  /** Public id: telemetry tag, fixture folder, docs anchor, changelog word. Never renamed. */
  readonly name: string;
  readonly errorSignature: { readonly expect: readonly Expect[]; readonly got: readonly Got[] };
  /** The candidate, or undefined where this entry has none. */
  readonly transform: (site: FailureSite) => Edit | undefined;
  /** An extra condition; the sub-check always runs. */
  readonly guard?: (site: FailureSite, edit: Edit) => boolean;
  /** `<what was wrong> → <right form>`; `{path}`, `{expect}` and `{detail}` are filled in. For a bounce, the reason. */
  readonly noteTemplate: string;
  /** The entry refuses: where it matches, no later entry is asked and the note is the reason. */
  readonly bounces?: true;
  /** The row of docs/repairs.md. */
  readonly docs: { readonly sends: string; readonly becomes: string; readonly refuses: string; readonly seen: string };
}
