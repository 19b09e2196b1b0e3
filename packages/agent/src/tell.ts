// How measured events reach those who listen. Runs wherever an event is made. What a listener throws, at once or later, stays
// with it: the others hear the event all the same, and the run goes on.

/** Tells every listener. One that answers with a promise is not waited for. */
export function tell<A extends readonly unknown[]>(listeners: readonly ((...told: A) => unknown)[], ...told: A): void {
  for (const listener of listeners) {
    try {
      const answer = listener(...told);
      // A rejection that nobody takes ends the process.
      if (answer instanceof Promise) answer.catch(ignore);
    } catch {
      // Measuring never breaks a run.
    }
  }
}

function ignore(): void {}
