// Takes the turns of transcripts, judges their calls and counts. The one place where options choose what counts.
import type { FailureRecord } from "../memory/failures/failure.schema.ts";
import { isKnownMode } from "../memory/known-modes.ts";
import { safeMode, safeTool, shownId, UNKNOWN_TOOL } from "../memory/safe-name.ts";
import { FailureGroups } from "./failure-groups.ts";
import { FixtureRows } from "./fixture-rows.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { timeOf } from "./line-head.ts";
import {
  addCost,
  type Cost,
  emptyTally,
  emptyVerdicts,
  entryOf,
  type ModelTally,
  modelTally,
  sawTime,
  type Tally,
  type WeekTally,
  weekTally,
} from "./tally.ts";
import { isShallow } from "./too-deep.ts";
import type { ReplayCall, ReplayTurn, TurnSink } from "./turn.ts";

export interface CountOptions {
  /** Milliseconds since 1970: earlier turns do not count. */
  readonly since?: number | undefined;
  /** A part of `provider/model`. */
  readonly model?: string | undefined;
  /** A tool's name. */
  readonly tool?: string | undefined;
  /** Whether fixture rows are made. */
  readonly fixtures?: boolean | undefined;
  /** Whether failures keep an example as it was sent. */
  readonly showValues?: boolean | undefined;
}

/** A gap between a request and its result above which the program was not running. */
const LONGEST_TURN = 6 * 60 * 60 * 1000;

export class TurnCounter implements TurnSink {
  readonly tally: Tally = emptyTally();
  readonly failures: FailureGroups;
  readonly fixtures: FixtureRows | undefined;
  readonly #options: CountOptions;

  constructor(options: CountOptions) {
    this.#options = options;
    this.failures = new FailureGroups(options.showValues === true);
    this.fixtures = options.fixtures === true ? new FixtureRows() : undefined;
  }

  /** A turn with a call that is nested too deep counts as a damaged line. */
  turn(turn: ReplayTurn): void {
    if (!isShallow(() => this.#take(turn))) this.damaged();
  }

  #take(turn: ReplayTurn): void {
    const at = turn.started || turn.ended;
    const name = `${shownId(turn.provider)}/${shownId(turn.model)}`;
    if (!this.#isWanted(at, name)) return;
    if (this.#options.tool !== undefined && !turn.calls.some((call) => this.#isTool(call))) return;
    const judged = turn.calls.map((call) => ({ call, judgement: judgeCall(call, turn) }));
    const model = modelTally(this.tally, name);
    const week = weekTally(model, at);
    sawTime(this.tally, at);
    for (const { call, judgement } of judged) {
      if (!this.#isTool(call)) continue;
      this.#count(model, week, call, judgement);
      isShallow(() => this.#keep(call, turn.model, judgement));
    }
    this.#costs(model, week, turn, judged);
  }

  failure({ at: written, provider, model, tool, call }: FailureRecord): void {
    const at = timeOf(written);
    const lookup = new Map([[tool, { name: tool, parameters: call.schema, hints: call.hints as never }]]);
    const block = { type: "toolCall", id: "", name: tool, arguments: call.args as never } as const;
    const text = `Validation failed for tool "${tool}":`;
    this.turn({
      ...{ provider, model, started: at, ended: at, stop: "done", printed: 0 },
      usage: { tokens: 0, nanodollars: 0 },
      // The record says nothing about its turn; as a nested call it costs none.
      calls: [{ block, isNested: true, result: { isError: true, text } }],
      tools: { lookup, isDeclared: true, others: [] },
    });
  }

  damaged(): void {
    this.tally.input.damaged++;
  }

  oversized(): void {
    this.tally.input.oversized++;
  }

  #isWanted(at: number, name: string): boolean {
    const { since, model } = this.#options;
    return (since === undefined || at >= since) && (model === undefined || name.includes(model));
  }

  #isTool({ block }: ReplayCall): boolean {
    return this.#options.tool === undefined || this.#options.tool === block.name;
  }

  #count(
    model: ModelTally,
    week: WeekTally | undefined,
    { isNested }: ReplayCall,
    { verdict, modes, prepared }: Judgement,
  ): void {
    model.calls++;
    model.verdicts[verdict]++;
    if (isNested) model.nested++;
    if (week !== undefined) {
      week.calls++;
      week.verdicts[verdict]++;
    }
    for (const mode of new Set(modes.map((mode) => safeMode(mode, isKnownMode)))) {
      entryOf(model.modes, mode, emptyVerdicts)[verdict]++;
    }
    if (prepared?.outcome === "bounced" && verdict === "ranWrong") model.wrongBounces++;
  }

  /** What is shown of a call: its failure, and a row for fixtures. */
  #keep({ block }: ReplayCall, modelId: string, { verdict, prepared, tool }: Judgement): void {
    if (prepared?.outcome === "bounced") {
      if (verdict === "ranWrong" || verdict === "stillBounces") {
        const name = tool === undefined ? UNKNOWN_TOOL : safeTool(tool.name, () => true);
        this.failures.add({ tool, name, block, model: modelId, prepared });
      }
    }
    if (tool !== undefined && prepared !== undefined && prepared.outcome !== "clean") {
      this.fixtures?.add(tool, block, modelId);
    }
  }

  /** A turn is lost by all its calls, those of other tools than the one that is asked for included. */
  #costs(
    model: ModelTally,
    week: WeekTally | undefined,
    turn: ReplayTurn,
    judged: readonly { readonly call: ReplayCall; readonly judgement: Judgement }[],
  ): void {
    const took = turn.ended - turn.started;
    const isMeasured = turn.started > 0 && took > 0 && took <= LONGEST_TURN;
    const cost: Cost = { turns: 1, milliseconds: isMeasured ? took : 0, ...turn.usage };
    const own = judged.filter(({ call }) => !call.isNested);
    const isMade = own.some(({ call }) => this.#isTool(call));
    if (isMade || judged.length === 0) addCost(model.spent, cost);
    model.printed += turn.printed;
    if (turn.printed > 0 && own.length === 0) addCost(model.printedLost, cost);
    if (!isMade || !own.every(({ judgement }) => judgement.wasBounced)) return;
    addCost(model.lost, cost);
    if (!own.every(({ judgement }) => judgement.verdict === "wouldRun")) return;
    addCost(model.saved, cost);
    if (week !== undefined) addCost(week.saved, cost);
  }
}
