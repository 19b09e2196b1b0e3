// How an entry of this package reaches pi's own modules. Only pi's loader knows them by their legacy names, and it takes a
// file over when Node cannot load it. Never fails where pi has dropped a name: an entry that fails would keep pi from
// starting.

/** Throws where Node itself loads the file, so that pi's loader takes over; Node has no `__filename` in a module. */
export function onlyThroughPiLoader(): void {
  if (typeof __filename === "undefined") throw new Error("this entry is loaded by pi");
}

/** What `load` imports, or `undefined` where this pi does not know the name. */
export async function ifKnown<M>(load: () => Promise<M>): Promise<M | undefined> {
  return load().catch(() => undefined);
}
