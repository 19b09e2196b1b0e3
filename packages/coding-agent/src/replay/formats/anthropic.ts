// Reads JSON lines of the Anthropic messages API: a message a line, a request with `messages` and `tools`, a response of
// type `message`, or a record that holds `request` and `response`. Results are `tool_result` blocks of user messages.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { timeOf } from "../line-head.ts";
import { printedCalls } from "../printed-calls.ts";
import type { ReplayTurn, Toolset } from "../turn.ts";
import { ApiReader } from "./api-reader.ts";
import { countOf, isObject, objectsIn, type Row, textIn, textOf } from "./json-line.ts";

export class AnthropicReader extends ApiReader {
  protected declaration({ name, input_schema }: Row): Row {
    return { name, parameters: input_schema };
  }

  protected messages(row: Row): void {
    const at = timeOf(row["timestamp"] ?? row["created_at"]);
    for (const message of objectsIn(row["messages"])) this.#message(message, at);
    if (typeof row["role"] === "string") this.#message(row, at);
  }

  #message(message: Row, at: number): void {
    if (message["role"] === "user") {
      for (const block of objectsIn(message["content"])) {
        if (block["type"] !== "tool_result") continue;
        const result = { isError: block["is_error"] === true, text: textIn(block["content"]) };
        this.turns.answer(textOf(block["tool_use_id"]), result, at);
      }
    }
    if (message["role"] !== "assistant") return;
    const about = { provider: "anthropic", model: textOf(message["model"]) || this.model, at, tools: this.tools };
    const content = contentOf(message);
    const text = content.map((block) => textOf(block["text"])).join("");
    this.turns.add(anthropicTurn(message, about), text, content);
  }
}

export interface TurnAbout {
  readonly provider: string;
  readonly model: string;
  readonly at: number;
  readonly tools: Toolset;
}

/** The turn that an assistant message of this API is. */
export function anthropicTurn(message: Row, { provider, model, at, tools }: TurnAbout): ReplayTurn {
  const content = contentOf(message);
  const stop = message["stop_reason"] === "max_tokens" ? "cut" : "done";
  const calls = content.filter((block) => block["type"] === "tool_use");
  const texts = content.filter((block) => block["type"] === "text" && typeof block["text"] === "string");
  const said = { content: texts, model, api: "anthropic-messages" } as unknown as AssistantMessage;
  return {
    ...{ provider, model, started: at, ended: at, stop, tools },
    usage: { tokens: tokensOf(message["usage"]), nanodollars: 0 },
    calls: calls.map((block) => ({ block: blockOf(block), isNested: false })),
    printed: stop === "done" ? printedCalls(said, tools, () => []) : 0,
  };
}

function contentOf({ content }: Row): Row[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
}

function blockOf({ id, name, input }: Row): ToolCall {
  return { type: "toolCall", id: textOf(id), name: textOf(name), arguments: (input ?? {}) as ToolCall["arguments"] };
}

function tokensOf(usage: unknown): number {
  if (!isObject(usage)) return 0;
  const kinds = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  return kinds.reduce((sum, kind) => sum + countOf(usage[kind]), 0);
}
