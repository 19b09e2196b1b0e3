// Lines of pi session files with turns of every kind, and the truth about them: what replay must count. Seeded.

import { CALLS, TOOLS, TURNS } from "./kinds.mjs";
import { codeText, SECRET, seeded } from "./seeded.mjs";

export const MODELS = ["local/weak-7b", "scripted/strong-70b", "other/middle"].map((name) => name.split("/"));
const PICKS = TURNS.flatMap((kind) => Array(kind.weight).fill(kind));
const DAY = 86_400_000;
const VERDICTS = "clean alike wouldRun ranWrong stillBounces mended unjudged notRun".split(" ");
const cost = () => ({ turns: 0, tokens: 0, milliseconds: 0, nanodollars: 0 });
const zeros = () => Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]));

/** An empty truth: what is counted over all sessions that are given it. */
export function emptyTruth() {
  return { damaged: 0, unfinished: 0, models: {} };
}

/** One session file's lines, each with its line break, in a generator; counts into `truth`. `bytes` is about the size. */
export function* sessionLines({ seed, bytes, truth, start = Date.UTC(2026, 5, 1) }) {
  const random = seeded(seed);
  let [clock, serial, written, parentId] = [start + Math.floor(random() * 60) * DAY, 0, 0, null];
  const iso = (at) => new Date(at).toISOString();
  const line = (entry) => {
    const text = `${JSON.stringify(entry)}\n`;
    written += text.length;
    return text;
  };
  const entry = (fields) => {
    const id = (++serial).toString(16).padStart(8, "0");
    const text = line({ type: fields.type ?? "message", id, parentId, timestamp: iso(clock), ...fields });
    parentId = id;
    return text;
  };
  const message = (fields) => entry({ message: fields });
  const says = (role, text) => message({ role, content: [{ type: "text", text }], timestamp: clock });
  const declares = { role: "system", content: "", sections: { preamble: codeText(random, 4_000) }, toolsAdded: TOOLS };

  yield line({ type: "session", version: 3, id: `${seed}`, timestamp: iso(clock), cwd: `/home/${SECRET}` });
  yield entry({ type: "model_change", provider: "local", modelId: "weak-7b" });
  yield message({ ...declares, timestamp: clock });
  while (written < bytes) {
    clock += Math.floor(random() * DAY * 0.2);
    yield says("user", codeText(random, 200));
    const [provider, model] = MODELS[Math.floor(random() * MODELS.length)];
    const own = modelTruth(truth, `${provider}/${model}`);
    for (let turns = 2 + Math.floor(random() * 12); turns > 0; turns--) yield* turn(own, provider, model);
    yield* odd(own, provider, model);
  }

  function assistant(own, provider, model, content, stopReason) {
    const usage = usageOf(random);
    const began = clock;
    clock += 1_000 + Math.floor(random() * 20_000);
    const about = { api: "openai-completions", provider, model, usage: usage.stored, stopReason, timestamp: began };
    const text = message({ role: "assistant", content, ...about });
    own.spent = plus(own.spent, { turns: 1, tokens: usage.tokens, milliseconds: 0, nanodollars: usage.nanodollars });
    return {
      text,
      took: (kind) => (own[kind] = plus(own[kind], { turns: 1, milliseconds: clock - began, ...usage })),
      began,
    };
  }

  function* turn(own, provider, model) {
    const kind = PICKS[Math.floor(random() * PICKS.length)];
    const calls = kind.calls.map((name, index) => ({ id: `call_${serial}_${index}`, ...CALLS[name](random) }));
    const thinking = { type: "thinking", thinking: codeText(random, 300), thinkingSignature: "x".repeat(400) };
    const blocks = calls.map(({ id, name, args, argumentsError }) => ({
      ...{ type: "toolCall", id, name, arguments: args, ...(argumentsError && { argumentsError }) },
    }));
    const { text, took } = assistant(own, provider, model, [thinking, ...blocks], "toolUse");
    yield text;
    for (const call of calls) {
      clock += 40 + Math.floor(random() * 500);
      const { isError, text: said, nested } = call.result;
      const records = nested?.map(({ verdict: _verdict, modes: _modes, ...record }) => record);
      yield message({
        ...{ role: "toolResult", toolCallId: call.id, toolName: call.name, content: [{ type: "text", text: said }] },
        ...{ isError, durationMs: 12, timestamp: clock },
        ...(records && { nestedCalls: { calls: records, complete: true } }),
      });
      for (const judged of [call, ...(nested ?? [])]) count(own, judged);
      own.nested += nested?.length ?? 0;
    }
    const bounced = calls.every(({ verdict }) => verdict === "wouldRun" || verdict === "stillBounces");
    if (bounced) took("lost");
    if (bounced && calls.every(({ verdict }) => verdict === "wouldRun")) took("saved");
  }

  /** Now and then: a printed call, a quoted one, a stopped turn, a compaction, a fork, a damaged line. */
  function* odd(own, provider, model) {
    const printed = `<tool_call>\n{"name": "read", "arguments": {"path": "${SECRET}${serial}"}}\n</tool_call>`;
    const kind = Math.floor(random() * 8);
    if (kind === 0) {
      const { text, took } = assistant(own, provider, model, [{ type: "text", text: `I look.\n${printed}` }], "stop");
      yield text;
      own.printed += 1;
      took("printedLost");
    } else if (kind === 1) {
      yield says("user", `What does this mean?\n${printed}`);
      yield assistant(own, provider, model, [{ type: "text", text: `It is a call:\n${printed}` }], "stop").text;
    } else if (kind === 2) {
      const block = { type: "toolCall", id: `call_${serial}`, name: "write", arguments: { path: SECRET } };
      yield assistant(own, provider, model, [block], "aborted").text;
      count(own, { verdict: "notRun" });
    } else if (kind === 3) {
      const systemMessage = { ...declares, timestamp: clock };
      const about = {
        summary: codeText(random, 2_000),
        firstKeptEntryId: parentId,
        tokensBefore: 50_000,
        systemMessage,
      };
      yield entry({ type: "compaction", ...about });
    } else if (kind === 4) {
      yield* fork(own, provider, model);
    } else if (kind === 5) {
      const whole = JSON.stringify({
        type: "message",
        id: "x",
        message: { role: "user", content: codeText(random, 300) },
      });
      const cuts = [whole.slice(0, -9), whole.slice(40), `${whole.slice(0, 50)}\0${whole.slice(50)}`, whole + whole];
      yield `${cuts[Math.floor(random() * cuts.length)]}\n`;
      truth.damaged += 1;
    }
  }

  /** A branch without the tool, then back to where it was: there the tool is a tool again. */
  function* fork(own, provider, model) {
    const branchedAt = parentId;
    yield message({ role: "system", content: "", toolsRemoved: [{ name: "set_labels" }], timestamp: clock });
    const call = { type: "toolCall", id: `call_${serial}`, name: "set_labels", arguments: { labels: [SECRET] } };
    const { text, took } = assistant(own, provider, model, [call], "toolUse");
    yield text;
    const result = {
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: "Tool set_labels not found" }],
    };
    yield message({ role: "toolResult", ...result, isError: true, timestamp: clock });
    took("lost");
    count(own, { verdict: "stillBounces", modes: ["unknownTool"] });
    parentId = branchedAt;
    const again = { ...call, id: `call_${serial}` };
    yield assistant(own, provider, model, [again], "toolUse").text;
    const fine = { toolCallId: again.id, toolName: call.name, content: [{ type: "text", text: "labelled" }] };
    yield message({ role: "toolResult", ...fine, isError: false, timestamp: clock });
    count(own, { verdict: "clean" });
  }
}

function modelTruth(truth, name) {
  truth.models[name] ??= {
    ...{ calls: 0, nested: 0, verdicts: zeros(), wrongBounces: 0, modes: {}, printed: 0 },
    ...{ spent: cost(), lost: cost(), saved: cost(), printedLost: cost() },
  };
  return truth.models[name];
}

function count(own, { verdict, modes = [], bouncesNow = false }) {
  own.calls += 1;
  own.verdicts[verdict] += 1;
  if (bouncesNow) own.wrongBounces += 1;
  for (const mode of modes) {
    own.modes[mode] ??= zeros();
    own.modes[mode][verdict] += 1;
  }
}

function usageOf(random) {
  const [input, output] = [Math.floor(random() * 4_000), 20 + Math.floor(random() * 900)];
  const [cacheRead, total] = [Math.floor(random() * 60_000), Math.floor(random() * 1e6) / 1e7];
  const stored = { input, output, cacheRead, cacheWrite: 0, totalTokens: input + output + cacheRead, cost: { total } };
  return { stored, tokens: stored.totalTokens, nanodollars: Math.round(total * 1e9) };
}

function plus(a, b) {
  const sum = (kind) => a[kind] + b[kind];
  return {
    ...{ turns: sum("turns"), tokens: sum("tokens") },
    milliseconds: sum("milliseconds"),
    nanodollars: sum("nanodollars"),
  };
}
