// Offers calibration for a model whose calls keep failing, once for every model, after the run. Only ever says that there is
// such a command: it sends no request of its own.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { LeakEvent, MemorySink } from "../memory/outcome-event.ts";
import { modelKey, OTHER } from "../memory/safe-name.ts";
import { attempt } from "./attempt.ts";
import type { Memory } from "./register-memory.ts";
import { tellUser } from "./tell-user.ts";

/** Failed calls in a row, without one that ran in between. */
const KEEPS_FAILING = 3;

export interface CalibrationOffer {
  readonly onOutcome: MemorySink;
  readonly onLeak: (leak: LeakEvent) => void;
}

export function registerCalibrationOffer(pi: ExtensionAPI, memory: Pick<Memory, "adaptation">): CalibrationOffer {
  const failed = new Map<string, number>();
  const count = (model: string, isFailure: boolean) => {
    failed.set(model, isFailure ? (failed.get(model) ?? 0) + 1 : 0);
  };

  pi.on("agent_end", async (_event, ctx) => {
    const { model } = ctx;
    if (model === undefined) return;
    const name = modelKey(model.provider, model.id);
    if ((failed.get(name) ?? 0) < KEEPS_FAILING || name.includes(OTHER)) return;
    // However the offer goes, the count starts over.
    failed.delete(name);
    const store = await memory.adaptation();
    if (store === undefined || store.protocol(name) !== undefined || !(await store.takeOffer(name))) return;
    attempt(() =>
      tellUser(
        ctx,
        `the tool calls of ${name} keep failing. "/mend calibrate" finds out in a few short requests whether native calls or ` +
          "calls as text work with it, and keeps the answer.",
      ),
    );
  });

  return {
    onOutcome: (event) => {
      if (event.outcome === "escalation") return;
      const { provider, model, outcome, executed } = event;
      const isFailure = outcome === "bounced" || outcome === "refused";
      // A call that a gate or the user stopped says nothing about the model.
      if (isFailure || executed !== "not-run") count(modelKey(provider, model), isFailure);
    },
    onLeak: ({ provider, model, action }) => {
      if (action === "stripped" || action === "observed") count(modelKey(provider, model), true);
    },
  };
}
