// Bedrock converse stream: AWS binary event-stream frames, each with headers, a JSON payload and two checksums.
import { crc32 } from "node:zlib";
import { stream } from "../../../src/api/bedrock-converse-stream.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder } from "./encoder.ts";

const WORDS = { toolUse: "tool_use", stop: "end_turn", length: "max_tokens" } as const;

export const bedrockEncoder: ProviderEncoder = {
  api: "bedrock-converse-stream",
  contentType: "application/vnd.amazon.eventstream",
  argumentsAreJson: false,
  storedId: (id) => id,
  freeFinish: true,
  closesBlocks: true,
  encode(calls, { finish, word, unclosed }) {
    const frames = [frame("messageStart", { role: "assistant" })];
    for (const [contentBlockIndex, { id, name, rawArguments }] of calls.entries()) {
      const start = { toolUse: { toolUseId: id, name } };
      frames.push(frame("contentBlockStart", { contentBlockIndex, start }));
      for (const input of deltasOf(rawArguments)) {
        frames.push(frame("contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } }));
      }
      if (!unclosed || contentBlockIndex < calls.length - 1) {
        frames.push(frame("contentBlockStop", { contentBlockIndex }));
      }
    }
    if (finish !== "none") {
      frames.push(frame("messageStop", { stopReason: word ?? WORDS[finish] }));
      frames.push(
        frame("metadata", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 } }),
      );
    }
    return Buffer.concat(frames);
  },
  say: (text) =>
    Buffer.concat([
      frame("messageStart", { role: "assistant" }),
      ...deltasOf(text).map((piece) => frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: piece } })),
      frame("contentBlockStop", { contentBlockIndex: 0 }),
      frame("messageStop", { stopReason: WORDS.stop }),
    ]),
  stream: (baseUrl, context, overrides) =>
    stream(testModel("bedrock-converse-stream", baseUrl, overrides as object), context, {
      region: "us-east-1",
      env: { AWS_BEDROCK_SKIP_AUTH: "1", AWS_BEDROCK_FORCE_HTTP1: "1", NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" },
    }),
};

/** One frame: total length, header length, checksum of both, headers, payload, checksum of everything before. */
function frame(eventType: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(":event-type", eventType),
    header(":content-type", "application/json"),
    header(":message-type", "event"),
  ]);
  const body = Buffer.from(JSON.stringify(payload), "utf8");
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const covered = Buffer.concat([prelude, headers, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(covered), 0);
  return Buffer.concat([covered, checksum]);
}

/** A text header: name length, name, type 7, value length, value. */
function header(name: string, value: string): Buffer {
  const text = Buffer.from(value, "utf8");
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length, 0);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name, "utf8"), Buffer.from([7]), size, text]);
}
