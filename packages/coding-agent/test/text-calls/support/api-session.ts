// One session of the installed pi with the built package that goes on over several runs, each with a model of its own: any API,
// through its real SDK, native or in text. The server answers with the bytes that the test gives, in order.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProviderEncoder } from "../../../../ai/test/support/encoders/encoder.ts";
import { ENCODERS } from "../../../../ai/test/support/encoders/index.ts";
import { startLoopback } from "../../../../ai/test/support/loopback.ts";
import { tempFolder } from "../../memory/support/temp-folder.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const DEMO = new URL("../../../../../scripts/demo/", import.meta.url);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

const BEDROCK = {
  AWS_REGION: "us-east-1",
  AWS_BEDROCK_SKIP_AUTH: "1",
  AWS_BEDROCK_FORCE_HTTP1: "1",
  NO_PROXY: "127.0.0.1",
  no_proxy: "127.0.0.1",
};

/** Where an SDK puts its own path behind the base URL. */
function baseUrl(api: string, url: string): string {
  if (api === "openai-completions" || api === "openai-responses") return `${url}/v1`;
  return api === "google-generative-ai" ? `${url}/v1beta` : url;
}

/** Registers, for every API, a provider with a native model and one with a model in text. */
function providersSource(url: string): string {
  const model = {
    ...{ id: "m", name: "m", reasoning: false, input: ["text"], contextWindow: 100_000, maxTokens: 4_096 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const providers = ENCODERS.flatMap(({ api }) =>
    ["native", "text"].map((kind) => [
      `${kind}-${api}`,
      { baseUrl: baseUrl(api, url), api, apiKey: "test", models: [model] },
    ]),
  );
  return `export default (pi) => {
  for (const [name, config] of ${JSON.stringify(providers)}) pi.registerProvider(name, config);
};`;
}

export async function apiSession(files: Readonly<Record<string, string>>) {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const server = await startLoopback({ contentType: "text/plain", pieces: [] });
  const providers = join(home, "providers.ts");
  writeFileSync(providers, providersSource(server.url));
  const settings = join(home, "settings.json");
  const textModels = ENCODERS.map(({ api }) => `text-${api}/m`);
  writeFileSync(settings, JSON.stringify({ textProtocol: true, textModels }));
  let isFirst = true;
  return {
    /** @returns the bodies of the run's requests, as JSON text */
    async run(kind: "native" | "text", encoder: ProviderEncoder, replies: readonly Uint8Array[]) {
      const queue = [...replies];
      const answer = () => ({ contentType: encoder.contentType, pieces: [queue.shift() ?? encoder.say("Finished.")] });
      Object.defineProperty(server, "answer", { get: answer, configurable: true });
      const from = server.requests.length;
      const args = ["--provider", `${kind}-${encoder.api}`, "--model", "m", ...(isFirst ? [] : ["--continue"])];
      isFirst = false;
      const env = { PI_MEND_SETTINGS: settings, PI_MEND_TELEMETRY: "off", ...BEDROCK };
      const options = {
        home,
        cwd,
        serverUrl: server.url,
        extensions: [providers, PACKAGE],
        prompt: "Go on.",
        args,
        env,
      };
      const { code, stdout, stderr } = await runPi(options);
      return { code, stdout, stderr, bodies: server.requests.slice(from).map((body) => JSON.stringify(body)) };
    },
    file: (name: string) => readFileSync(join(cwd, name), "utf8"),
    /** The session file as text. */
    stored: () => {
      const folder = join(home, ".pi", "agent", "sessions");
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      );
      return names.map((name) => readFileSync(join(folder, name), "utf8")).join("");
    },
    close: () => server.close(),
  };
}
