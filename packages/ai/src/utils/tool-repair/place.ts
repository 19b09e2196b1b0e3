// Places of one failing value, found by pointer. Each place is made once, however many errors lead to it or through it.

import type { FailureSite } from "./failure-site.ts";
import { decodeSegment } from "./json-pointer.ts";
import { isJsonObject } from "./json-value.ts";
import type { SubSchema } from "./sub-schema.ts";

/** One place of a value with the subschema that governs it. */
export class Place {
  readonly value: unknown;
  readonly schema: SubSchema | undefined;
  readonly field: string;
  readonly key: string | number | undefined;
  readonly parent: Place | undefined;
  readonly path: string;
  site: FailureSite | undefined;
  private children: Map<string, Place> | undefined;

  constructor(
    value: unknown,
    schema: SubSchema | undefined,
    field: string,
    key: string | number | undefined,
    parent: Place | undefined,
    path: string,
  ) {
    this.value = value;
    this.schema = schema;
    this.field = field;
    this.key = key;
    this.parent = parent;
    this.path = path;
    this.site = undefined;
    this.children = undefined;
  }

  /** The place at `path` below this one; the same object for the same path. */
  at(path: string): Place {
    let place: Place = this;
    for (let from = 0; from < path.length; ) {
      const slash = path.indexOf("/", from + 1);
      const end = slash < 0 ? path.length : slash;
      place = place.child(path.slice(from + 1, end), path.slice(0, end));
      from = end;
    }
    return place;
  }

  private child(segment: string, path: string): Place {
    const known = this.children?.get(segment);
    if (known !== undefined) return known;
    const place = Array.isArray(this.value)
      ? this.item(Number(segment), path)
      : this.property(decodeSegment(segment), path);
    this.children ??= new Map();
    this.children.set(segment, place);
    return place;
  }

  private item(index: number, path: string): Place {
    const list = this.value as readonly unknown[];
    return new Place(list[index], this.schema?.child(index, list), `${this.field}[]`, index, this, path);
  }

  private property(key: string, path: string): Place {
    const holder = isJsonObject(this.value) ? this.value : {};
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    const field = this.field === "" ? key : `${this.field}.${key}`;
    return new Place(value, this.schema?.child(key, holder), field, key, this, path);
  }
}
