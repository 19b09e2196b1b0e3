// `/mend calibrate`: measures how a model takes tool calls, keeps the verdict, and says what follows from it. Runs when it is
// typed, beside the session and never while the agent works. Without an answer from the model nothing is kept.
import { randomInt } from "node:crypto";
import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { type Calibration, calibrate } from "../calibration/calibrate.ts";
import { ModelRequests } from "../calibration/model-requests.ts";
import { commandArguments } from "../cli/command-arguments.ts";
import type { ExitCode } from "../cli/shell.ts";
import { findModel } from "../memory/health/find-model.ts";
import { costText, protocolWords } from "../memory/health/health-table.ts";
import { modelKey, OTHER } from "../memory/safe-name.ts";
import { textForm } from "../text-calls/text-form.ts";
import type { Memory } from "./register-memory.ts";

interface Answer {
  readonly code: ExitCode;
  readonly text: string;
}

/** How long one request may take; a local server may have to load the model first. */
const TIMEOUT_S = 120;

/** @param args what stands behind `/mend calibrate`: a model, and `--timeout` with seconds */
export async function calibrateCommand(
  args: readonly string[],
  ctx: ExtensionCommandContext,
  memory: Memory,
): Promise<Answer> {
  const given = commandArguments(args, [], 1, ["timeout"]);
  if (!given.ok) return { code: 2, text: given.message };
  const seconds = Number(given.values.get("timeout") ?? TIMEOUT_S);
  if (!(seconds > 0 && seconds <= 3_600)) return { code: 2, text: "--timeout takes seconds, up to 3600" };
  const found = modelOf(given.names[0], ctx);
  if ("message" in found) return { code: 2, text: found.message };
  const { name, model } = found;
  await ctx.waitForIdle();
  const requests = new ModelRequests(ctx.modelRegistry, model, seconds * 1_000);
  const code = () => String(randomInt(100_000, 1_000_000));
  const result = await calibrate(requests.ask, code, (trial) => {
    if (ctx.hasUI) ctx.ui.setStatus("pi-mend", `pi-mend: ${name}, ${trial}…`);
  });
  const trials = result.trials.map((trial) => `  ${trial.name.padEnd(14)} ${trial.outcome}`);
  return { ...(await settled(name, result, requests, memory, trials)) };
}

async function settled(
  name: string,
  { verdict, reason }: Calibration,
  { cost }: ModelRequests,
  memory: Memory,
  trials: readonly string[],
): Promise<Answer> {
  const head = [name, ...trials];
  if (verdict === undefined) {
    return { code: 1, text: [...head, `No verdict: ${reason} (${costText(cost)}). Nothing was kept.`].join("\n") };
  }
  const found = `${protocolWords(verdict)}: ${costText(cost)}`;
  const kept = await (await memory.adaptation())?.setProtocol(name, verdict, cost);
  if (!kept?.ok) {
    const why = kept?.fault ?? "not to be had";
    return { code: 1, text: [...head, found, `The verdict was not kept: the file is ${why}`].join("\n") };
  }
  return { code: 0, text: [...head, found, consequence(name, verdict, memory)].join("\n") };
}

function consequence(name: string, verdict: string, memory: Memory): string {
  const { settings, from } = memory.resolved();
  const isText = textForm({ settings, from }, name, verdict) !== undefined;
  if (isText && verdict.startsWith("text:")) return "Its calls are made in text from the next request on.";
  if (isText) return `textModels (${from.textModels} settings) has the last word: its calls stay in text.`;
  if (verdict.startsWith("text:")) {
    return `textProtocol is off (${from.textProtocol} settings) and has the last word: its tools stay native.`;
  }
  return "Its tools stay native.";
}

type FoundModel =
  | { readonly name: string; readonly model: NonNullable<ExtensionCommandContext["model"]> }
  | { readonly message: string };

/** The model that is named, or the session's. */
function modelOf(typed: string | undefined, { model, modelRegistry }: ExtensionCommandContext): FoundModel {
  if (typed === undefined) {
    return model === undefined ? { message: "No model is chosen; name one" } : named(model);
  }
  const models = [...modelRegistry.getAvailable(), ...(model === undefined ? [] : [model])];
  const byName = new Map(models.map((one) => [`${one.provider}/${one.id}`, one]));
  const found = findModel(typed, [...byName.keys()]);
  return found.ok ? named(byName.get(found.model)!) : found;
}

function named(model: NonNullable<ExtensionCommandContext["model"]>): FoundModel {
  const name = modelKey(model.provider, model.id);
  // Its verdict would be that of every model whose name cannot be kept.
  return name.includes(OTHER) ? { message: "The name of this model cannot be kept" } : { name, model };
}
