// Which fields a spelling stands for, by what a tool's owner declared. Made once for a list of declared fields and once for
// a tool's hints; a call only looks up. Never decides whether a field may be filled.

import { isAbsent } from "./absent-fields.ts";
import type { FailureSite } from "./failure-site.ts";
import { commonAliases, declaredAliases, fieldName } from "./field-hints.ts";
import type { JsonObject } from "./json-value.ts";
import { foldKey } from "./key-folding.ts";
import type { ToolHints } from "./types.ts";

/** What one spelling stands for; `common` where only a missing field may be meant. */
interface Spelled {
  readonly field: string;
  readonly common: boolean;
}

interface SpellingIndex {
  readonly exact: ReadonlyMap<string, readonly Spelled[]>;
  readonly folded: ReadonlyMap<string, readonly Spelled[]>;
}

const NO_HINTS: ToolHints = {};
/** By the list of declared fields, which lives as long as its subschema; then by hints and the holder's name in them. */
const INDEXES = new WeakMap<readonly string[], WeakMap<ToolHints, Map<string, SpellingIndex>>>();
const NOTHING_DECLARED: readonly string[] = [];

/** The spellings of the absent fields of the object at one site. */
export class FieldSpellings {
  private readonly site: FailureSite;
  private readonly index: SpellingIndex;

  constructor(site: FailureSite) {
    this.site = site;
    this.index = indexFor(site);
  }

  /** The absent fields that have `key` as an alias; undefined for none. */
  exact(key: string): readonly string[] | undefined {
    return this.absentOf(this.index.exact.get(key));
  }

  /** The absent fields whose name or alias `key` is, in other case or with other separators; undefined for none. */
  folded(key: string): readonly string[] | undefined {
    return this.absentOf(this.index.folded.get(foldKey(key)));
  }

  private absentOf(spelled: readonly Spelled[] | undefined): readonly string[] | undefined {
    if (spelled === undefined) return undefined;
    const { value, schema, fields } = this.site;
    let fitting: string[] | undefined;
    for (const { field, common } of spelled) {
      if (!isAbsent(field, value as JsonObject, schema) || (common && !fields?.missing.includes(field))) continue;
      if (fitting === undefined) fitting = [field];
      else fitting.push(field);
    }
    return fitting;
  }
}

function indexFor(site: FailureSite): SpellingIndex {
  const declared = site.schema?.declaredKeys(site.value) ?? NOTHING_DECLARED;
  const hints = site.call.tool.hints ?? NO_HINTS;
  let byHints = INDEXES.get(declared);
  if (byHints === undefined) {
    byHints = new WeakMap();
    INDEXES.set(declared, byHints);
  }
  let byHolder = byHints.get(hints);
  if (byHolder === undefined) {
    byHolder = new Map();
    byHints.set(hints, byHolder);
  }
  const holder = hints === NO_HINTS ? "" : site.field;
  let index = byHolder.get(holder);
  if (index === undefined) {
    index = indexOf(declared, hints, holder);
    byHolder.set(holder, index);
  }
  return index;
}

function indexOf(declared: readonly string[], hints: ToolHints, holder: string): SpellingIndex {
  const exact = new Map<string, Spelled[]>();
  const folded = new Map<string, Spelled[]>();
  const put = (map: Map<string, Spelled[]>, spelling: string, field: string, common: boolean) => {
    const known = map.get(spelling);
    if (known === undefined) map.set(spelling, [{ field, common }]);
    else if (!known.some((spelled) => spelled.field === field)) known.push({ field, common });
  };
  for (const field of declared) {
    put(folded, foldKey(field), field, false);
    const own = declaredAliases(hints, fieldName(holder, field));
    for (const alias of own ?? commonAliases(field)) {
      put(exact, alias, field, own === undefined);
      put(folded, foldKey(alias), field, own === undefined);
    }
  }
  folded.delete("");
  return { exact, folded };
}

/** By hints: the fields of each object that a spelling is declared for. */
const DECLARED = new WeakMap<ToolHints, ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>>();
const NO_FIELDS: readonly string[] = [];

/** The fields of the object that hints call `holder` which `key` is a declared spelling of. */
export function declaredFields(key: string, holder: string, hints: ToolHints): readonly string[] {
  let byHolder = DECLARED.get(hints);
  if (byHolder === undefined) {
    byHolder = declaredByHolder(hints);
    DECLARED.set(hints, byHolder);
  }
  return byHolder.get(holder)?.get(key) ?? NO_FIELDS;
}

function declaredByHolder(hints: ToolHints): Map<string, Map<string, string[]>> {
  const byHolder = new Map<string, Map<string, string[]>>();
  for (const [path, aliases] of Object.entries(hints.aliases ?? {})) {
    const dot = path.lastIndexOf(".");
    const [holder, name] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)];
    if (name === "" || name.includes("[")) continue;
    const bySpelling = byHolder.get(holder) ?? new Map<string, string[]>();
    byHolder.set(holder, bySpelling);
    for (const alias of new Set(aliases)) bySpelling.set(alias, [...(bySpelling.get(alias) ?? []), name]);
  }
  return byHolder;
}
