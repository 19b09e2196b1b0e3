// Whether two JSON values are equal. Runs when a key or a whole object came twice. Iterative, so that depth costs no
// stack; reads own properties only.

/** True for the same JSON value; the order of keys does not matter. Linear in the smaller value. */
export function equalJson(left: unknown, right: unknown): boolean {
  const pending: unknown[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pending.push(a[i], b[i]);
      continue;
    }
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push(Reflect.get(a, key), Reflect.get(b, key));
    }
  }
  return true;
}
