// Reads JSON lines of chat completions: a message a line, a request or conversation with `messages`, a response with
// `choices`, or a record that holds `request` and `response`. Tools are those of the last `tools` seen. Whether a call
// was refused is not written in this format, unless its result is a refusal's text; pi's own validation stands in for it.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { parseToolCallArguments } from "@earendil-works/pi-ai/utils/json-parse";
import { timeOf } from "../line-head.ts";
import { printedCalls } from "../printed-calls.ts";
import type { ReplayTurn } from "../turn.ts";
import { ApiReader } from "./api-reader.ts";
import { countOf, isObject, objectsIn, type Row, textIn, textOf } from "./json-line.ts";

/** What a line says about all messages in it. */
interface About {
  readonly model: string;
  readonly at: number;
  readonly usage: unknown;
}

const STOPS: Readonly<Record<string, ReplayTurn["stop"]>> = { length: "cut", content_filter: "failed" };

export class OpenAiReader extends ApiReader {
  protected declaration(tool: Row): Row {
    return isObject(tool["function"]) ? tool["function"] : tool;
  }

  protected messages(row: Row): void {
    const at = timeOf(row["timestamp"] ?? row["created"] ?? row["created_at"]);
    const about = { model: this.model, at, usage: undefined };
    for (const message of objectsIn(row["messages"])) this.#message(message, "", about);
    for (const choice of objectsIn(row["choices"])) {
      const usage = row["usage"];
      if (isObject(choice["message"]))
        this.#message(choice["message"], textOf(choice["finish_reason"]), { ...about, usage });
    }
    if (typeof row["role"] === "string")
      this.#message(row, textOf(row["finish_reason"]), { ...about, usage: row["usage"] });
  }

  #message(message: Row, finish: string, { model, at, usage }: About): void {
    const { role, content, tool_calls: made } = message;
    if (role === "tool") {
      const result = { isError: undefined, text: textIn(content) };
      return void this.turns.answer(textOf(message["tool_call_id"]), result, at);
    }
    if (role !== "assistant") return;
    const text =
      textOf(content) ||
      objectsIn(content)
        .map((part) => textOf(part["text"]))
        .join("");
    const stop = STOPS[finish] ?? "done";
    const said = { content: [{ type: "text", text }], model, api: "openai-completions" } as unknown as AssistantMessage;
    const turn: ReplayTurn = {
      ...{ provider: "openai", model, started: at, ended: at, stop, tools: this.tools },
      usage: { tokens: isObject(usage) ? tokensOf(usage) : 0, nanodollars: 0 },
      calls: objectsIn(made).map((call) => ({ block: blockOf(call), isNested: false })),
      printed: stop === "done" && text !== "" ? printedCalls(said, this.tools, () => []) : 0,
    };
    this.turns.add(turn, text, content);
  }
}

/** Not every server adds the two up. */
function tokensOf({ total_tokens, prompt_tokens, completion_tokens }: Row): number {
  return countOf(total_tokens) || countOf(prompt_tokens) + countOf(completion_tokens);
}

function blockOf(call: Row): ToolCall {
  const called = isObject(call["function"]) ? call["function"] : call;
  const sent = called["arguments"];
  // Servers that send an object have parsed the text themselves.
  const args = isObject(sent) ? { arguments: sent as ToolCall["arguments"] } : parseToolCallArguments(textOf(sent));
  return { type: "toolCall", id: textOf(call["id"]), name: textOf(called["name"]), ...args };
}
