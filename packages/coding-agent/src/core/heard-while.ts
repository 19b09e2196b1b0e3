// A hook that is there only while something waits for it: what pi finds no handler for costs a turn nothing.
import { attempt } from "./attempt.ts";

/**
 * @param listen registers the handler and returns what removes it again. A pi whose `on` gives nothing back keeps the handler.
 * @returns says whether the handler is needed from now on. Never throws.
 */
export function heardWhile(listen: () => unknown): (isNeeded: boolean) => void {
  let leave: unknown;
  let isHeard = false;
  return (isNeeded) => {
    if (isNeeded === isHeard) return;
    if (isNeeded) {
      isHeard = true;
      leave = attempt(listen);
    } else if (typeof leave === "function") {
      isHeard = false;
      attempt(leave as () => void);
    }
  };
}
