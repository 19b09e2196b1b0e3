// The accepted changes of one wave, applied together to one copy. Containers on the way to a change are copied once;
// everything else is shared with the value as sent, which is never modified.

import type { Edit, FailureSite } from "./failure-site.ts";
import { decodeSegment } from "./json-pointer.ts";
import { type JsonObject, setOwn } from "./json-value.ts";

type Container = unknown[] | JsonObject;

const NO_ITEMS: readonly unknown[] = [];

/** Collects accepted edits and applies them. */
export class EditPlan {
  private readonly value: unknown;
  private readonly edits: { readonly path: string; readonly edit: Edit }[] = [];
  /** Paths of the edits, once there are many. No path is accepted twice. */
  private taken: Set<string> | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get isEmpty(): boolean {
    return this.edits.length === 0;
  }

  /** Items that an edit of the whole value puts behind it. */
  get alsoItems(): readonly unknown[] {
    for (const { path, edit } of this.edits) {
      if (path === "" && edit.kind === "set") return edit.alsoItems ?? NO_ITEMS;
    }
    return NO_ITEMS;
  }

  /** Whether an accepted edit already decided this place or an object around it. */
  covers(path: string): boolean {
    if (this.edits.length === 0) return false;
    // A set pays only for many edits; most calls have one.
    if (this.edits.length > 8) return this.coversByWalk(path);
    return this.edits.some(
      ({ path: at }) => at === path || at === "" || (path.startsWith(at) && path[at.length] === "/"),
    );
  }

  private coversByWalk(path: string): boolean {
    this.taken ??= new Set();
    for (let i = this.taken.size; i < this.edits.length; i++) this.taken.add(this.edits[i]!.path);
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      if (this.taken.has(at)) return true;
      if (at === "") return false;
    }
  }

  accept(site: FailureSite, edit: Edit): void {
    this.edits.push({ path: site.path, edit });
  }

  /** A new value with all edits made; the value itself where there are none. */
  apply(): unknown {
    const [only] = this.edits;
    if (
      this.edits.length === 1 &&
      only !== undefined &&
      only.path.lastIndexOf("/") === 0 &&
      !Array.isArray(this.value)
    ) {
      return this.applyAtTop(only);
    }
    const owned = new Set<unknown>();
    const grown = new Map<unknown[], Map<number, readonly unknown[]>>();
    const box: { root: unknown } = { root: this.value };
    for (const { path, edit } of this.edits) {
      const segments = path === "" ? [] : path.slice(1).split("/").map(decodeSegment);
      const last = segments.pop();
      if (last === undefined) {
        if (edit.kind === "set") box.root = edit.value;
        continue;
      }
      box.root = own(box.root, owned);
      let holder = box.root as Container;
      for (const segment of segments) {
        const child = own(read(holder, segment), owned);
        write(holder, segment, child);
        holder = child;
      }
      change(holder, last, edit, grown);
    }
    growLists(grown);
    return box.root;
  }

  /** The common case: one change of one field of the whole. */
  private applyAtTop({ path, edit }: { readonly path: string; readonly edit: Edit }): unknown {
    const holder = copyOf(this.value);
    change(holder, decodeSegment(path.slice(1)), edit, undefined);
    return holder;
  }
}

function growLists(grown: ReadonlyMap<unknown[], ReadonlyMap<number, readonly unknown[]>>): void {
  for (const [list, extra] of grown) {
    const items = list.flatMap((item, i) => [item, ...(extra.get(i) ?? [])]);
    list.length = 0;
    for (const item of items) list.push(item);
  }
}

function own(container: unknown, owned: Set<unknown>): Container {
  if (owned.has(container)) return container as Container;
  const copy = copyOf(container);
  owned.add(copy);
  return copy;
}

function copyOf(container: unknown): Container {
  return Array.isArray(container) ? container.slice() : { ...(container as JsonObject) };
}

function read(holder: Container, key: string): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : holder[key];
}

function write(holder: Container, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else setOwn(holder, key, value);
}

function change(
  holder: Container,
  key: string,
  edit: Edit,
  grown: Map<unknown[], Map<number, readonly unknown[]>> | undefined,
): void {
  if (edit.kind === "drop") {
    if (!Array.isArray(holder)) delete holder[key];
    return;
  }
  write(holder, key, edit.value);
  if (!Array.isArray(holder)) {
    for (const [sibling, value] of edit.siblings ?? []) setOwn(holder, sibling, value);
  } else if (grown !== undefined && edit.alsoItems !== undefined && edit.alsoItems.length > 0) {
    let extra = grown.get(holder);
    if (extra === undefined) {
      extra = new Map();
      grown.set(holder, extra);
    }
    extra.set(Number(key), edit.alsoItems);
  }
}
