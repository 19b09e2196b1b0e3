// The files of the agent folder as a session of a weak model leaves them, made by the recorder that pi's sessions use.
import type { MemoryPaths } from "../../../src/memory/memory-paths.ts";
import type { CallEvent } from "../../../src/memory/outcome-event.ts";
import { Recorder } from "../../../src/memory/recorder.ts";
import { PROFILES } from "../../../src/settings/profiles.ts";

const READ = {
  name: "read",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
} as const;
const ORIGIN = { provider: "local", model: "weak-7b", api: "openai-completions", tool: "read" };
const NOTHING = { modes: [], forgiven: [], taught: "none", executed: "not-run" } as const;

/** Writes all files, with records of every kind, a rule and a verdict, for the model `local/weak-7b`. */
export async function recordFiles(paths: MemoryPaths): Promise<void> {
  const recorder = new Recorder({
    ...{ paths, session: "one", host: "pi", now: Date.now, isTool: () => true },
    switches: () => ({ ...PROFILES.adaptive, log: false }),
  });
  const call = (event: Partial<CallEvent>, detail?: Parameters<Recorder["record"]>[1]) =>
    recorder.record({ ...ORIGIN, ...NOTHING, outcome: "clean", ...event }, detail);
  call({ executed: "ok" });
  for (let times = 0; times < 3; times++) {
    call({ outcome: "repaired", modes: ["aliasRename"], taught: "note", executed: "ok" });
  }
  const sent = { path: null };
  call({ outcome: "bounced", modes: ["type"] }, { tool: READ, sent, prepared: { outcome: "bounced" } });
  call({ outcome: "refused", modes: ["truncated"] });
  recorder.record({ ...ORIGIN, outcome: "escalation", modes: ["type"], failures: 3, strongerModel: false });
  recorder.recordLeak({ ...ORIGIN, action: "stripped", families: ["json-tag"], refused: [] });
  recorder.recordNested({ ...ORIGIN, calls: [{ name: "read", status: "ok" }] });
  await recorder.flush();
  await recorder.adaptation.setProtocol("local/weak-7b", "native", { requests: 2, input: 10, output: 5, usd: 0 });
}
