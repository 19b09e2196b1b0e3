// Models as a server on loopback plays them: each answers a request by what it can do, whichever trial it comes from. And the
// server, which can also refuse and stay silent.
import { createServer } from "node:http";
import type { ScriptedTurn, WireMessage } from "../../support/door.ts";
import { wireText } from "../../text-calls/support/leak-run.ts";

export interface WireRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly unknown[];
}

/** `hang`: no answer ever comes. A status is an error with its message. */
export type Played = ScriptedTurn | "hang" | { readonly status: number; readonly error: string };

export type PlayedModel = (request: WireRequest) => Played;

const NO_TOOLS = { text: "I cannot look that up." };

/** The answer to the last message where that is a result or a question; `undefined` where a call is due. */
function answerTo(last: string): ScriptedTurn | undefined {
  const number = /(?:apples|receipt): (\d+)/.exec(last)?.[1];
  return number === undefined ? undefined : { text: `It is ${number}.` };
}

function due(last: string): { readonly name: string; readonly args: object } | undefined {
  const text = /echo with the text "([^"]+)"/.exec(last)?.[1];
  if (text !== undefined) return { name: "echo", args: { text } };
  return last.includes("stock.txt") ? { name: "read", args: { path: "stock.txt" } } : undefined;
}

/** Makes native calls where the request declares tools, of `names` only. */
export function nativeModel(names: readonly string[] = ["read", "echo"], spell = JSON.stringify): PlayedModel {
  return ({ messages, tools }) => {
    const last = wireText(messages.at(-1));
    const answer = answerTo(last);
    const call = due(last);
    if (answer !== undefined || call === undefined || !tools?.length || !names.includes(call.name)) {
      return answer ?? NO_TOOLS;
    }
    return { calls: [{ id: "c1", name: call.name, arguments: spell(call.args) }] };
  };
}

/** Prints its calls, if the prompt shows how by `opener`. */
export function textModel(opener: string, print: (name: string, json: string) => string): PlayedModel {
  return ({ messages, tools }) => {
    const last = wireText(messages.at(-1));
    const answer = answerTo(last);
    if (answer !== undefined) return answer;
    const call = due(last);
    const isShown = wireText(messages[0]).includes(opener);
    if (tools?.length || !isShown || call === undefined) return NO_TOOLS;
    return { text: `Sure.\n${print(call.name, JSON.stringify(call.args))}` };
  };
}

/** Plays `model` to every request. */
export async function playModel(model: PlayedModel) {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const asked: WireRequest = JSON.parse(body);
    requests.push(asked);
    const played = model(asked);
    if (played === "hang") return;
    if ("status" in played) {
      response.writeHead(played.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: played.error } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunksOf(played)) response.write(`data: ${JSON.stringify({ id: "x", ...chunk })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/v1`, requests, close };
}

function chunksOf({ text, calls, finish }: ScriptedTurn) {
  const tool_calls = calls?.map(({ id, name, arguments: args }, index) => ({
    ...{ index, id, type: "function" },
    function: { name, arguments: args },
  }));
  const delta = { role: "assistant", content: text ?? null, ...(tool_calls && { tool_calls }) };
  const finish_reason = finish ?? (tool_calls ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  return [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ];
}
