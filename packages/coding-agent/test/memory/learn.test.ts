import { describe, expect, test } from "vitest";
import type { ModelMemory } from "../../src/memory/adaptation/adaptation.schema.ts";
import {
  emptyMemory,
  learn,
  MAX_RULES,
  SILENT_MS,
  standingRules,
  TRIAL_CALLS,
} from "../../src/memory/adaptation/learn.ts";

const START = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;
const MODE = "numberFromString";

interface Step {
  readonly session?: string;
  readonly calls?: number;
  readonly fired?: Readonly<Record<string, number>>;
  readonly at?: number;
}

function after(steps: readonly Step[], memory: ModelMemory = emptyMemory()): ModelMemory {
  return steps.reduce((so, { session = "a", calls = 1, fired = {}, at = 0 }) => {
    return learn(so, { session, calls, firings: new Map(Object.entries(fired)) }, START + at);
  }, memory);
}

const modes = (memory: ModelMemory, at = 0) => standingRules(memory, START + at).map((rule) => rule.mode);

/** A rule that stands since the first day, taught after 3 firings in 10 calls. */
const TAUGHT = after([{ calls: 10, fired: { [MODE]: 3 } }]);

describe("a rule graduates", () => {
  test("after three repairs of its mode in one session, however they are counted", () => {
    expect(modes(after([{ fired: { [MODE]: 2 } }]))).toEqual([]);
    expect(modes(after([{ fired: { [MODE]: 3 } }]))).toEqual([MODE]);
    expect(modes(after([{ fired: { [MODE]: 1 } }, { fired: { [MODE]: 1 } }, { fired: { [MODE]: 1 } }]))).toEqual([
      MODE,
    ]);
  });

  test("when its mode comes back in another session", () => {
    const once = [{ session: "a", fired: { [MODE]: 1 } }];
    expect(modes(after(once))).toEqual([]);
    expect(modes(after([...once, { session: "b", fired: { [MODE]: 1 }, at: 3 * DAY }]), 3 * DAY)).toEqual([MODE]);
  });

  test("not for modes that came back only after a month", () => {
    const memory = after([{ fired: { [MODE]: 2 } }, { session: "b", fired: { [MODE]: 1 }, at: SILENT_MS }]);
    expect(modes(memory, SILENT_MS)).toEqual([]);
    expect(memory.modes[MODE]?.firings).toBe(1);
  });

  test("not for modes that there is no sentence for", () => {
    expect(modes(after([{ fired: { required: 9, nullRequiredBounce: 9, __proto__x: 9 } }]))).toEqual([]);
  });

  test("while there is room: a sixth waits and gets in when one has left", () => {
    const fired = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 3]));
    const five = ["aliasRename", "jsonStringParse", "boolFromString", "bareScalarWrap", "singleObjectWrap"];
    expect(five).toHaveLength(MAX_RULES);
    const full = after([{ fired: fired(five) }, { fired: fired([MODE]), at: DAY }]);
    expect(modes(full, DAY)).toEqual(five);
    const later = after(
      [
        { fired: { ...fired(five.slice(1)), [MODE]: 1 }, at: SILENT_MS - DAY },
        { fired: { [MODE]: 1 }, at: SILENT_MS },
      ],
      full,
    );
    expect(modes(later, SILENT_MS)).toEqual([...five.slice(1), MODE]);
  });
});

describe("a rule retires", () => {
  test("after 30 silent days, also where nothing was written since", () => {
    expect(modes(TAUGHT, SILENT_MS - 1)).toEqual([MODE]);
    expect(modes(TAUGHT, SILENT_MS)).toEqual([]);
    const memory = after([{ calls: 1, at: SILENT_MS }], TAUGHT);
    expect(memory.rules).toEqual([]);
    expect(memory.retired).toMatchObject([{ mode: MODE, why: "silent" }]);
  });

  test("not while its mode still fires now and then", () => {
    const memory = after([{ calls: 20, fired: { [MODE]: 1 }, at: 20 * DAY }], TAUGHT);
    expect(modes(memory, 45 * DAY)).toEqual([MODE]);
  });

  test("when its mode comes as often as before, once there are enough calls to say so", () => {
    const early = after([{ calls: TRIAL_CALLS - 1, fired: { [MODE]: 20 } }], TAUGHT);
    expect(modes(early)).toEqual([MODE]);
    const memory = after([{ calls: 1 }], early);
    expect(modes(memory)).toEqual([]);
    expect(memory.retired).toMatchObject([{ why: "no-effect", before: { calls: 10, firings: 3 } }]);
  });

  test("not when its mode comes less often", () => {
    expect(modes(after([{ calls: 100, fired: { [MODE]: 29 } }], TAUGHT))).toEqual([MODE]);
  });

  test.each([
    ["silent", [{ calls: 1, at: SILENT_MS }], SILENT_MS],
    ["no-effect", [{ calls: TRIAL_CALLS, fired: { [MODE]: 25 } }], 0],
  ] as const)("and both its counts start over (%s): it does not come back with the next firing", (why, steps, at) => {
    const retired = after(steps, TAUGHT);
    expect(retired.retired.at(-1)?.why).toBe(why);
    expect(retired.modes[MODE]).toMatchObject({ firings: 0, sessions: [] });
    const next = after([{ session: "b", fired: { [MODE]: 1 }, at }], retired);
    expect(modes(next, at)).toEqual([]);
    expect(next.modes[MODE]?.sessions).toEqual([{ id: "b", firings: 1 }]);
  });

  test("and may be earned again: as before when it was only silent, with twice the evidence when it did not help", () => {
    const silent = after([{ calls: 1, at: SILENT_MS }], TAUGHT);
    expect(modes(after([{ fired: { [MODE]: 3 }, at: SILENT_MS }], silent), SILENT_MS)).toEqual([MODE]);
    const useless = after([{ calls: TRIAL_CALLS, fired: { [MODE]: 25 } }], TAUGHT);
    expect(modes(after([{ fired: { [MODE]: 5 } }], useless))).toEqual([]);
    expect(modes(after([{ fired: { [MODE]: 6 } }], useless))).toEqual([MODE]);
  });

  test("on the very firing that ends a silence, which then counts as the first", () => {
    const memory = after([{ fired: { [MODE]: 1 }, at: SILENT_MS }], TAUGHT);
    expect(modes(memory, SILENT_MS)).toEqual([]);
    expect(memory.modes[MODE]?.firings).toBe(1);
  });
});

test("clean calls count for the rules that stand, and nothing that came in is changed", () => {
  const frozen = JSON.stringify(TAUGHT);
  const memory = after([{ calls: 25 }], TAUGHT);
  expect(memory.calls).toBe(35);
  expect(memory.rules[0]?.after).toEqual({ calls: 25, firings: 0 });
  expect(JSON.stringify(TAUGHT)).toBe(frozen);
});

test("a rule from a clock that was ahead retires 30 silent days after the clock was set right", () => {
  const ahead = after([{ calls: 10, fired: { [MODE]: 3 }, at: 400 * DAY }]);
  const right = after([{ at: DAY }], ahead);
  expect(modes(right, SILENT_MS)).toEqual([MODE]);
  expect(modes(right, SILENT_MS + DAY)).toEqual([]);
  expect(after([{ at: SILENT_MS + DAY }], right).retired).toMatchObject([{ mode: MODE, why: "silent" }]);
});

test("what fires while its mode is forgotten does not count once it may be learned again", () => {
  const meanwhile = after([{ fired: { [MODE]: 9 } }], { ...emptyMemory(), forgotten: { [MODE]: START } });
  const allowed = { ...meanwhile, forgotten: {} };
  expect(modes(after([{ fired: { [MODE]: 2 } }], allowed))).toEqual([]);
  expect(modes(after([{ fired: { [MODE]: 3 } }], allowed))).toEqual([MODE]);
});

test("a forgotten mode never graduates", () => {
  const memory = after([{ fired: { [MODE]: 9 } }], { ...emptyMemory(), forgotten: { [MODE]: START } });
  expect(modes(memory)).toEqual([]);
});
