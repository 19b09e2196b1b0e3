// What a page's commands find where a user types them: a home with an agent folder that was in use, a folder to work in, and
// `pi`, `pi-mend` and a package registry of their own. Everything is temporary.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { memoryPaths } from "../../../src/memory/memory-paths.ts";
import { tempFolder } from "../../memory/support/temp-folder.ts";
import { writeCorpus } from "../../replay/support/replayed.ts";
import { ROOT } from "./pages.ts";
import { recordFiles } from "./recorded-files.ts";

const { NODE, PI_CLI } = await import(new URL("../../../../../scripts/demo/run-pi.mjs", import.meta.url).href);
const PACKAGE = join(ROOT, "packages/coding-agent");

export interface UsersPlace {
  readonly home: string;
  readonly agent: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Servers {
  /** Base URL of a model, and of a registry. */
  readonly model: string;
  readonly registry: string;
}

/** @param isInstalled whether pi has the package already */
export async function usersPlace(servers: Servers, isInstalled: boolean): Promise<UsersPlace> {
  const home = tempFolder();
  if (!home.startsWith(tmpdir())) throw new Error("a page may remove files of its home");
  const [agent, work, bin] = [join(home, ".pi", "agent"), join(home, "work"), join(home, "bin")];
  for (const folder of [join(agent, "sessions"), join(work, "sessions"), bin]) mkdirSync(folder, { recursive: true });
  symlinkSync(NODE, join(bin, "node"));
  symlinkSync(PI_CLI, join(bin, "pi"));
  writeFileSync(join(bin, "pi-mend"), `#!/bin/sh\nexec node "${join(PACKAGE, "dist/cli.js")}" "$@"\n`);
  chmodSync(join(bin, "pi-mend"), 0o755);

  const model = { id: "scripted", name: "Scripted", contextWindow: 128_000, maxTokens: 8_192 };
  const provider = { baseUrl: servers.model, api: "openai-completions", apiKey: "unused", models: [model] };
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  const packages = isInstalled ? [PACKAGE] : [];
  writeFileSync(
    join(agent, "settings.json"),
    JSON.stringify({ defaultProvider: "scripted", defaultModel: "scripted", packages }),
  );

  writeCorpus({ folder: join(agent, "sessions"), bytes: 200_000, files: 1 });
  writeCorpus({ folder: join(work, "sessions"), bytes: 200_000, files: 1 });
  const request = { model: "m", messages: [{ role: "user", content: "x" }] };
  writeFileSync(join(work, "requests.jsonl"), `${JSON.stringify(request)}\n`);
  writeFileSync(join(work, "notes.txt"), "notes\n");

  const env = {
    ...{ HOME: home, USERPROFILE: home, PI_CODING_AGENT_DIR: agent, PATH: pathOf(bin) },
    ...{ PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1", NO_COLOR: "1" },
    ...{ npm_config_registry: servers.registry, npm_config_cache: join(home, "cache") },
    ...{ npm_config_update_notifier: "false", npm_config_prefix: join(home, "global") },
  };
  await recordFiles(memoryPaths(env, work));
  return { home, agent, work, env };
}

/** The tools of the machine, npm among them, behind those of the place. */
function pathOf(bin: string): string {
  const inherited = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return [bin, ...inherited, dirname(NODE)].join(delimiter);
}
