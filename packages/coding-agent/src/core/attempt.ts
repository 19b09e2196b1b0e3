// A hook of ours that fails must not be pi's failure: pi goes on as it would without pi-mend.

/** What `handle` returns, or `undefined` when it throws. */
export function attempt<R>(handle: () => R): R | undefined {
  try {
    return handle();
  } catch {
    return undefined;
  }
}

/** What `handle` comes to, or `undefined` when it throws or rejects. */
export async function attemptLater<R>(handle: () => R | Promise<R>): Promise<R | undefined> {
  try {
    return await handle();
  } catch {
    return undefined;
  }
}
