// The file of failure records: 256 kB, and an older one beside it. Bounces of one run are kept until they are written.

import type { StoreResult, Waiting } from "../files/file-lock.ts";
import { JsonLinesLog } from "../files/json-lines-log.ts";
import type { CallDetail, CallEvent } from "../outcome-event.ts";
import { safeId, safeTool } from "../safe-name.ts";
import { schemaCheck } from "../schema-check.ts";
import { type FailureRecord, FailureRecordSchema } from "./failure.schema.ts";
import { skeletonOf } from "./failure-record.ts";

const CHECK = schemaCheck<FailureRecord>(FailureRecordSchema);
/** Bounces of one run that are looked at. */
const MAX_WAITING = 50;

export interface FailureRecordsOptions {
  readonly path: string;
  readonly now: () => number;
  readonly isTool: (name: string) => boolean;
  readonly host?: string;
}

export function failureLog(path: string): JsonLinesLog<FailureRecord> {
  return new JsonLinesLog({ path, check: CHECK, maxBytes: 256 * 1024, olderFiles: 1 });
}

export class FailureRecords {
  readonly #options: FailureRecordsOptions;
  #waiting: FailureRecord[] = [];

  constructor(options: FailureRecordsOptions) {
    this.#options = options;
  }

  /** Makes the record of a bounce. One that does not replay, or that there is no room for, is not kept. */
  keep(event: CallEvent, { tool, sent }: CallDetail): void {
    if (tool === undefined || sent === undefined || this.#waiting.length >= MAX_WAITING) return;
    const { now, isTool, host = "pi" } = this.#options;
    const model = safeId(event.model);
    const named = { ...tool, name: safeTool(tool.name, isTool) };
    const skeleton = skeletonOf(named, sent, model);
    if (skeleton?.verdict.outcome !== "bounced") return;
    const { call, places } = skeleton;
    const who = { host, provider: safeId(event.provider), model, tool: named.name };
    const record = { v: 1 as const, at: now(), ...who, places: [...places], call };
    if (CHECK.accepts(record)) this.#waiting.push(record);
  }

  take(): readonly FailureRecord[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  write(records: readonly FailureRecord[], waiting?: Waiting): Promise<StoreResult<undefined>> {
    return failureLog(this.#options.path).append(records, waiting);
  }
}
