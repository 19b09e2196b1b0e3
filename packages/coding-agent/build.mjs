// Bundles the extension and the workspace packages it is made of: `index.js`, `edit.js` and `tui.js` are what pi loads at its
// start, `late.js` what its hooks load behind it, `commands.js` what the commands load when they are used, `replay-worker.js` a
// thread of theirs, `cli.js` the shell command. Reads the packages' sources, so a stale build of theirs cannot get in. What the
// host provides stays an import.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Specifier → source file, for every entry point of the workspace packages that the extension imports. */
const SOURCES = {
  "@pi-mend/ai/tool-repair": here("../ai/src/utils/tool-repair/index.ts"),
  "@pi-mend/ai/final-message": here("../ai/src/utils/stream-guard/settle-message.ts"),
  "@pi-mend/ai/outgoing-ids": here("../ai/src/utils/stream-guard/outgoing-ids.ts"),
  "@pi-mend/agent/door": here("../agent/src/door.ts"),
  "@pi-mend/agent/prepare-tool-call": here("../agent/src/prepare-tool-call.ts"),
  "@pi-mend/agent/leak-profiles": here("../agent/src/leak-profiles.ts"),
  "@pi-mend/agent/teach-note": here("../agent/src/teach-note.ts"),
};

/** Upstream's own validation, for what stock pi makes of a call: a replay runs where there may be no pi. */
const UPSTREAM = Object.fromEntries(
  ["utils/validation", "utils/json-parse"].map((name) => [
    `@earendil-works/pi-ai/${name}`,
    fileURLToPath(import.meta.resolve(`@earendil-works/pi-ai/${name}`)),
  ]),
);

const HOST = [
  "@mariozechner/pi-coding-agent",
  "@mariozechner/pi-tui",
  "@earendil-works/pi-coding-agent",
  "@earendil-works/pi-agent-core",
  "@earendil-works/pi-ai",
  "@earendil-works/pi-tui",
  "typebox",
];

/** Schemas are declared with TypeBox and shipped as the JSON they are: importing TypeBox takes longer than pi-mend does. */
const plainSchemas = {
  name: "plain-schemas",
  setup({ onLoad }) {
    onLoad({ filter: /\.schema\.ts$/ }, async ({ path }) => {
      const schemas = Object.entries(await import(pathToFileURL(path).href));
      const contents = schemas.map(([name, schema]) => `export const ${name} = ${JSON.stringify(schema)};`).join("\n");
      return { contents, loader: "js" };
    });
  },
};

/** The shell command loads what the commands in pi load. */
const builtCommands = {
  name: "built-commands",
  setup({ onResolve }) {
    onResolve({ filter: /\/run-command\.ts$/ }, () => ({ path: "./commands.js", external: true }));
  },
};

/** Our modules only declare, so what an entry does not use is left out of it. */
const declaringOnly = {
  name: "declaring-only",
  setup({ onResolve }) {
    onResolve({ filter: /^@pi-mend\// }, ({ path }) =>
      path in SOURCES
        ? { path: SOURCES[path], sideEffects: false }
        : { errors: [{ text: `${path} has no source here` }] },
    );
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) =>
      /packages\/(?:ai|agent)\/src/.test(resolveDir) ? { path: join(resolveDir, path), sideEffects: false } : undefined,
    );
  },
};

const options = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
  minifySyntax: true,
  legalComments: "eof",
  logLevel: "warning",
  minifyWhitespace: true,
  alias: UPSTREAM,
  external: HOST.flatMap((name) => [name, `${name}/*`]),
  plugins: [plainSchemas, declaringOnly],
  outdir: here("dist"),
};

rmSync(here("dist"), { recursive: true, force: true });
await build({
  ...options,
  splitting: true,
  chunkNames: "shared-[hash]",
  entryPoints: {
    index: here("src/index.ts"),
    late: here("src/core/late-part.ts"),
    commands: here("src/cli/run-command.ts"),
    "replay-worker": here("src/replay/replay-worker.ts"),
  },
});
// pi's loader transpiles these two: each is one file.
await build({
  ...options,
  entryPoints: { edit: here("src/core/tools/edit.ts"), tui: here("src/tui/host-tui-entry.ts") },
});
await build({
  ...options,
  entryPoints: { cli: here("src/cli/main.ts") },
  plugins: [builtCommands],
  banner: { js: "#!/usr/bin/env node" },
});
