// Runs one batch of fuzz cases from one seed and counts what came out. A batch is the unit that can be run again: the same
// seed gives the same cases. Never prints; the caller reports.

import assert from "node:assert/strict";
import fc from "fast-check";
import { callCase, checkCall } from "./call-case.ts";
import { checkLeak, leakCase } from "./leak-case.ts";
import { isPrototypeTouched } from "./prototypes.ts";
import { checkStream, streamCase } from "./stream-case.ts";
import { checkText, textCase } from "./text-case.ts";

/** Cases of one batch. */
export const BATCH = 200;
/** CPU milliseconds that one case may take. */
const MAX_CASE = 2_000;

/** What a batch found: how many cases of each kind came out how, and the failures. */
export interface BatchReport {
  readonly counts: Record<string, number>;
  readonly failures: readonly FuzzFailure[];
}

export interface FuzzFailure {
  readonly kind: string;
  /** The batch's seed, and the library's path to the shrunk input. */
  readonly seed: number;
  readonly path: string;
  readonly input: string;
  readonly error: string;
}

/** A kind of case that another package fuzzes with this runner. */
export interface FuzzKind<Case> {
  readonly name: string;
  /** Its share of the cases, taken from the calls'. */
  readonly share: number;
  readonly arbitrary: fc.Arbitrary<Case>;
  /** Asserts all that holds; says what came of the case. */
  readonly check: (one: Case) => string;
}

const SHARES = { call: 0.65, text: 0.15, leak: 0.14, stream: 0.06 } as const;

/** Runs `cases` cases, most of them calls. */
export async function runBatch<Case>(
  seed: number,
  cases = BATCH,
  more: readonly FuzzKind<Case>[] = [],
): Promise<BatchReport> {
  const counts: Record<string, number> = {};
  const failures: FuzzFailure[] = [];
  const texts = Math.round(cases * SHARES.text);
  const leaks = Math.round(cases * SHARES.leak);
  const streams = Math.round(cases * SHARES.stream);
  const add = (kind: string, details: Details) => {
    counts[kind] = (counts[kind] ?? 0) + details.numRuns;
    const failure = failureOf(kind, seed, details);
    if (failure !== undefined) failures.push(failure);
  };
  const sync = <Case>(kind: string, arbitrary: fc.Arbitrary<Case>, check: (one: Case) => string, numRuns: number) => {
    const property = fc.property(arbitrary, (one) => bounded(counts, kind, () => check(one)));
    add(kind, fc.check(property, { seed, numRuns }));
  };
  let calls = cases - texts - leaks - streams;
  for (const { name, share, arbitrary, check } of more) {
    const own = Math.round(cases * share);
    sync(name, arbitrary, check, own);
    calls -= own;
  }
  sync("call", callCase, checkCall, calls);
  sync("text", textCase, checkText, texts);
  sync("leak", leakCase, checkLeak, leaks);
  const stream = fc.asyncProperty(streamCase, async (one) => {
    count(counts, "stream", await checkStream(one));
    assert.ok(!isPrototypeTouched(), "a prototype was touched");
  });
  add("stream", await fc.check(stream, { seed, numRuns: streams }));
  return { counts, failures };
}

type Details = Pick<fc.RunDetails<unknown>, "failed" | "numRuns" | "errorInstance" | "counterexamplePath"> & {
  readonly counterexample: readonly unknown[] | null;
};

function bounded(counts: Record<string, number>, kind: string, check: () => string): void {
  const start = process.threadCpuUsage();
  count(counts, kind, check());
  const { user, system } = process.threadCpuUsage(start);
  assert.ok(!isPrototypeTouched(), "a prototype was touched");
  assert.ok((user + system) / 1000 < MAX_CASE, `a case took ${Math.round((user + system) / 1000)} ms`);
}

function count(counts: Record<string, number>, kind: string, outcome: string): void {
  const name = `${kind}.${outcome}`;
  counts[name] = (counts[name] ?? 0) + 1;
}

function failureOf(kind: string, seed: number, details: Details): FuzzFailure | undefined {
  if (!details.failed) return undefined;
  const error = details.errorInstance;
  return {
    kind,
    seed,
    path: details.counterexamplePath ?? "",
    input: fc.stringify(details.counterexample?.[0]),
    error: error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 6).join("\n") : String(error),
  };
}
