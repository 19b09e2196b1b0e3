// The file of telemetry records: 1 MB, and two older ones beside it. Made by the recorder, read by health.
import { JsonLinesLog } from "../files/json-lines-log.ts";
import { schemaCheck } from "../schema-check.ts";
import { type TelemetryRecord, TelemetryRecordSchema } from "./telemetry.schema.ts";

const CHECK = schemaCheck<TelemetryRecord>(TelemetryRecordSchema);

/** @param isNamed whether the environment says where the file is */
export function telemetryLog(path: string, isNamed = false): JsonLinesLog<TelemetryRecord> {
  return new JsonLinesLog({ path, check: CHECK, maxBytes: 1024 * 1024, olderFiles: 2, isNamed });
}
