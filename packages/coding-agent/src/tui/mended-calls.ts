// The repaired calls of the branch that is on the screen, by call id. Filled from the stored messages when a session starts or
// its tree is navigated, and by each message that ends. Holds what the messages hold, copies nothing, writes nothing.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";

/** A call that was repaired: what was sent, and what ran instead. */
export interface MendedCall {
  readonly id: string;
  /** The tool that ran. */
  readonly tool: string;
  /** The name as sent, where another one ran. */
  readonly sentTool: string | undefined;
  /** Names of the repairs, in the order in which they were made. */
  readonly names: readonly string[];
  /** The arguments as sent: a value, or text that was no JSON object. */
  readonly sent: unknown;
  readonly ran: unknown;
}

export class MendedCalls {
  readonly #byId = new Map<string, MendedCall>();
  readonly #tools = new Set<string>();

  get(id: string): MendedCall | undefined {
    return this.#byId.get(id);
  }

  /** Whether a call of that tool was repaired in this session. */
  hasTool(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Takes in the repaired calls of one message; anything else is passed over. */
  add(message: { readonly role: string }): void {
    for (const call of mendedIn(message)) {
      this.#byId.set(call.id, call);
      this.#tools.add(call.tool);
    }
  }

  clear(): void {
    this.#byId.clear();
    this.#tools.clear();
  }
}

/** The repaired calls of a message, in order. Empty for every message that is not the assistant's. */
export function mendedIn(message: { readonly role: string }): readonly MendedCall[] {
  if (message.role !== "assistant") return [];
  const { content } = message as AssistantMessage;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (block?.type === "toolCall" ? (mendedCall(block) ?? []) : []));
}

/** A session file may hold anything: what is no record of a repair is none. */
function mendedCall(block: ToolCall): MendedCall | undefined {
  const record = (block as { repair?: { names?: unknown; original?: unknown; originalName?: unknown } }).repair;
  if (typeof record !== "object" || record === null || !Array.isArray(record.names)) return undefined;
  const names = record.names.filter((name) => typeof name === "string");
  if (names.length === 0) return undefined;
  const sentTool = typeof record.originalName === "string" ? record.originalName : undefined;
  return { id: block.id, tool: block.name, sentTool, names, sent: record.original, ran: block.arguments };
}
