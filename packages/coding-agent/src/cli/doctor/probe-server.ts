// A model on loopback for one probe of pi: answers with the calls it was given, then with a word. Keeps what pi sent.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProbeServer {
  readonly url: string;
  /** Request bodies, as text. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** @param calls one turn each: name and text of the arguments */
export async function startProbeServer(calls: readonly (readonly [string, string])[]): Promise<ProbeServer> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const call = calls[requests.length];
    requests.push(body);
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.end(turn(call, requests.length));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

function turn(call: readonly [string, string] | undefined, number: number): string {
  const delta =
    call === undefined
      ? { content: "done" }
      : {
          tool_calls: [
            { index: 0, id: `probe_${number}`, type: "function", function: { name: call[0], arguments: call[1] } },
          ],
        };
  const chunk = (part: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta: part, finish_reason }];
    return `data: ${JSON.stringify({ id: "p", object: "chat.completion.chunk", created: 1, model: "probe", choices })}\n\n`;
  };
  return `${chunk(delta, null)}${chunk({}, call === undefined ? "stop" : "tool_calls")}data: [DONE]\n\n`;
}
