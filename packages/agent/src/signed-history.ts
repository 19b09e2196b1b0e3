// Replays what a provider signed as the provider signed it. Runs on the messages of every request, whatever API they go
// to. Never touches a call without a signature: those are replayed repaired, so that the model sees the right form.
import type { RepairRecord } from "./prepare-tool-call.ts";

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface Block {
  readonly type?: string;
  readonly repair?: RepairRecord;
}

/**
 * The messages with the arguments as sent on every repaired call that carries a signature, or `undefined` when there is
 * none. Arguments that were no JSON object have no other form to go back to and stay repaired.
 */
export function withSignedOriginals<M extends Message>(messages: readonly M[]): M[] | undefined {
  let changed: M[] | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant" || !Array.isArray(message.content)) continue;
    const content = originals(message.content);
    if (content === undefined) continue;
    changed ??= [...messages];
    changed[index] = { ...message, content };
  }
  return changed;
}

function originals(blocks: readonly Block[]): Block[] | undefined {
  let changed: Block[] | undefined;
  for (const [index, block] of blocks.entries()) {
    if (!isSignedRepair(block)) continue;
    changed ??= [...blocks];
    changed[index] = { ...block, arguments: block.repair?.original } as Block;
  }
  return changed;
}

/**
 * Whether a block is a repaired call whose provider signed it, by a text under `signature` or a name that ends in it, and
 * which has arguments to go back to.
 */
export function isSignedRepair(block: Block): boolean {
  if (block?.type !== "toolCall" || !isObject(block.repair?.original)) return false;
  return Object.entries(block).some(
    ([key, value]) => /signature$/i.test(key) && typeof value === "string" && value !== "",
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
