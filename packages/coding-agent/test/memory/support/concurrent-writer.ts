// One of several processes that learn into the same store at once: as many single updates as it is told.
import { AdaptationStore } from "../../../src/memory/adaptation/adaptation-store.ts";

const [path = "", updates = "0", model = ""] = process.argv.slice(2);
const store = new AdaptationStore({ path, now: Date.now });
for (let update = 0; update < Number(updates); update++) {
  const batch = { session: `s${process.pid}`, calls: 1, firings: new Map([["numberFromString", 1]]) };
  const result = await store.learn(new Map([[model, batch]]), { ms: 120_000 });
  if (!result.ok) throw new Error(result.fault);
}
