// The installed pi as a process in RPC mode, in a home folder of the caller's. Prompts go in one by one; what pi shows the user
// and every event can be read and waited for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { PI_CLI, NODE, PROVIDER, MODEL } = await import(new URL("run-pi.mjs", DEMO).href);

export interface RpcEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface RpcPi {
  readonly events: readonly RpcEvent[];
  /** What pi showed so far, each with its kind. */
  notices(): readonly string[];
  /** Sends one prompt; resolves when pi has taken it, for a command when it is done. */
  prompt(message: string): Promise<void>;
  /** Resolves with the first event, of those so far or to come, that `is` accepts. */
  event(is: (event: RpcEvent) => boolean): Promise<RpcEvent>;
  /** Ends pi and waits for that. */
  close(): Promise<void>;
}

export interface RpcPiOptions {
  readonly home: string;
  readonly cwd: string;
  readonly extension: string;
  /** Of the server that plays the model; without one every request fails. */
  readonly serverUrl?: string;
  readonly args?: readonly string[];
}

export function rpcPi({ home, cwd, extension, serverUrl, args = [] }: RpcPiOptions): RpcPi {
  const agentDir = join(home, ".pi", "agent");
  mkdirSync(agentDir, { recursive: true });
  const baseUrl = serverUrl ?? "http://127.0.0.1:9/v1";
  const provider = { baseUrl, api: "openai-completions", apiKey: "x", models: [{ id: MODEL }] };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { [PROVIDER]: provider } }));
  const flags = ["--mode", "rpc", "--offline", "--provider", PROVIDER, "--model", MODEL, "--no-extensions"];
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  };
  const child = spawn(NODE, [PI_CLI, ...flags, "-e", extension, ...args], { cwd, env });
  const exit = once(child, "exit");
  const events: RpcEvent[] = [];
  const waiting = new Set<() => void>();
  let sent = 0;
  const heard = () => {
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line));
    heard();
  });
  child.once("exit", heard);

  const event = (is: (event: RpcEvent) => boolean) =>
    new Promise<RpcEvent>((resolve, reject) => {
      const look = () => {
        const found = events.find(is);
        if (found === undefined && child.exitCode === null) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`pi ended with ${child.exitCode}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    events,
    notices: () =>
      events.flatMap(({ method, notifyType, message }) => (method === "notify" ? `${notifyType}: ${message}` : [])),
    async prompt(message) {
      const id = String(sent++);
      child.stdin.write(`${JSON.stringify({ id, type: "prompt", message })}\n`);
      await event((heardOf) => heardOf.type === "response" && heardOf["id"] === id);
    },
    event,
    async close() {
      child.stdin.end();
      await exit;
    },
  };
}
