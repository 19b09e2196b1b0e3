// A chat-completions server on the loopback that replays a written script of assistant turns, for demos and tests that
// drive the real pi. It runs in the caller's process and sends the argument text byte for byte as the script gives it.
// It never checks or mends what it sends: what arrives broken was written broken.
import { createServer } from "node:http";

/**
 * @typedef {object} ScriptedCall
 * @property {string} [id] sent as given, so `""` is an empty id; absent leaves the field out
 * @property {string} name
 * @property {string} arguments the raw wire text, which need not be JSON
 *
 * @typedef {object} ScriptedTurn
 * @property {string} [text]
 * @property {ScriptedCall[]} [calls]
 * @property {string} [finish] finish_reason; default `tool_calls` with calls, else `stop`
 *
 * @typedef {ScriptedTurn | ((requestBody: any) => ScriptedTurn | undefined)} TurnSource a function sees the request it answers;
 *   `undefined` from it passes the request on to the next turn of the script
 *
 * @typedef {object} ScriptedServer
 * @property {string} url base URL ending in `/v1`
 * @property {number} port
 * @property {any[]} requests the parsed body of every completion request, oldest first
 * @property {() => Promise<void>} close resolves when the port is free; open streams are cut
 */

/**
 * Starts a server on 127.0.0.1 with a port of the system's choice.
 *
 * @param {readonly TurnSource[]} turns one per completion request; afterwards every request gets the text "done"
 * @param {{ models?: string[], fragment?: number }} [options] `fragment`: characters per streamed piece (default 24)
 * @returns {Promise<ScriptedServer>} rejects only when no port can be bound. A turn function that throws answers with
 *   status 500 and the error's text.
 */
export function startScriptedServer(turns, options = {}) {
  const { models = ["scripted"], fragment = 24 } = options;
  const requests = [];
  let next = 0;

  const nextTurn = (body) => {
    while (next < turns.length) {
      const source = turns[next++];
      const turn = typeof source === "function" ? source(body) : source;
      if (turn) return turn;
    }
    return { text: "done", finish: "stop" };
  };

  const server = createServer(async (request, response) => {
    try {
      const path = (request.url ?? "").split("?")[0];
      if (request.method === "GET" && path.endsWith("/models")) {
        return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
      }
      if (request.method !== "POST" || !path.endsWith("/chat/completions")) {
        return sendJson(response, 404, { error: { message: `no route ${request.method} ${path}` } });
      }
      const body = JSON.parse(await readBody(request));
      requests.push(body);
      const turn = nextTurn(body);
      if (body.stream === false || body.stream === undefined) {
        return sendJson(response, 200, completionOf(turn, body.model, requests.length));
      }
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      for (const chunk of chunksOf(turn, body.model, requests.length, fragment)) {
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      }
      response.end("data: [DONE]\n\n");
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    }
  });

  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      const close = () =>
        new Promise((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url: `http://127.0.0.1:${port}/v1`, port, requests, close });
    });
  });
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function finishOf(turn) {
  return turn.finish ?? (turn.calls?.length ? "tool_calls" : "stop");
}

function idField(call) {
  return call.id === undefined ? {} : { id: call.id };
}

function completionOf(turn, model, serial) {
  const calls = turn.calls?.map((call) => ({
    ...idField(call),
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = { role: "assistant", content: turn.text ?? null, ...(calls?.length ? { tool_calls: calls } : {}) };
  const choices = [{ index: 0, message, finish_reason: finishOf(turn) }];
  return { id: `chatcmpl-${serial}`, object: "chat.completion", created: serial, model, choices, usage: USAGE };
}

function* chunksOf(turn, model, serial, fragment) {
  const head = { id: `chatcmpl-${serial}`, object: "chat.completion.chunk", created: serial, model };
  const chunk = (delta, finish = null) => ({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  yield chunk({ role: "assistant", content: "" });
  for (const piece of piecesOf(turn.text ?? "", fragment)) yield chunk({ content: piece });
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const opening = { ...idField(call), type: "function", function: { name: call.name, arguments: "" } };
    yield chunk({ tool_calls: [{ index, ...opening }] });
    for (const piece of piecesOf(call.arguments, fragment)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, finishOf(turn));
  yield { ...head, choices: [], usage: USAGE };
}

function* piecesOf(text, size) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

async function readBody(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const piece of request) text += piece;
  return text;
}

function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
