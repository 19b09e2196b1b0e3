// A real HTTP server on 127.0.0.1 that answers every request with prepared bytes. For tests only: real provider SDKs
// connect to it.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { zstdDecompressSync } from "node:zlib";

/** One answer: what goes over the wire, in the pieces it is written in. */
export interface WireAnswer {
  readonly contentType: string;
  readonly pieces: readonly Uint8Array[];
  /** Break the connection after the pieces instead of ending the response. */
  readonly hangUp?: boolean;
}

/** A running server. `requests` holds the parsed bodies in order. */
export interface Loopback {
  readonly url: string;
  readonly requests: unknown[];
  answer: WireAnswer;
  close(): Promise<void>;
}

export async function startLoopback(answer: WireAnswer): Promise<Loopback> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      requests.push(body);
      const { contentType, pieces, hangUp } = loopback.answer;
      response.writeHead(200, { "content-type": contentType });
      for (const piece of pieces) {
        const written = new Promise((resolve) => response.write(piece, resolve));
        // One turn of the event loop, so that each piece travels on its own.
        if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
        // What is still in the process would be lost with the connection.
        if (hangUp) await written;
      }
      if (hangUp) response.destroy();
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const loopback: Loopback = { url: `http://127.0.0.1:${port}`, requests, answer, close: () => stop(server) };
  return loopback;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = (request.headers["content-encoding"] === "zstd" ? zstdDecompressSync(bytes) : bytes).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
