// The installed pi with the built package in one home folder that several runs share, so that what one keeps the next one
// finds. Every run has a model of its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AdaptationStore } from "../../../src/memory/adaptation/adaptation-store.ts";
import { memoryPaths } from "../../../src/memory/memory-paths.ts";
import { tempFolder } from "../../memory/support/temp-folder.ts";
import { rpcPi } from "../../support/rpc-pi.ts";
import { type PlayedModel, playModel } from "./models.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const DEMO = new URL("../../../../../scripts/demo/", import.meta.url);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

export function calibrationHome(settings: Readonly<Record<string, unknown>> = {}) {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  const agentDir = join(home, ".pi", "agent");
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: agentDir }, cwd);
  mkdirSync(paths.folder, { recursive: true });
  writeFileSync(paths.settings, JSON.stringify(settings));
  return {
    home,
    cwd,
    paths,
    store: () => new AdaptationStore({ path: paths.adaptation, now: Date.now }),
    /** pi in RPC mode, with the server of its model; both are the caller's to close. */
    async rpc(model: PlayedModel) {
      const server = await playModel(model);
      return { server, pi: rpcPi({ home, cwd, serverUrl: server.url, extension: PACKAGE }) };
    },
    /** One run in print mode, unless `args` say otherwise. */
    async run(prompt: string, model: PlayedModel, args: readonly string[] = []) {
      const server = await playModel(model);
      try {
        const options = { home, cwd, serverUrl: server.url, extensions: [PACKAGE], prompt, args };
        const { code, stdout, stderr, sessionFile } = await runPi(options);
        const session: string = sessionFile === undefined ? "" : readFileSync(sessionFile, "utf8");
        return { code, stdout, stderr, session, requests: server.requests };
      } finally {
        await server.close();
      }
    },
  };
}
