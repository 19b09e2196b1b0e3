// Bundles the extension and the workspace packages it is made of into the one file that pi loads. Reads the packages'
// sources, so a stale build of theirs cannot get in. What the host provides stays an import.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Specifier → source file, for every entry point of the workspace packages that the extension imports. */
const SOURCES = {
  "@pi-mend/ai/tool-repair": here("../ai/src/utils/tool-repair/index.ts"),
  "@pi-mend/agent/prepare-tool-call": here("../agent/src/prepare-tool-call.ts"),
  "@pi-mend/agent/teach-note": here("../agent/src/teach-note.ts"),
};

const HOST = [
  "@earendil-works/pi-coding-agent",
  "@earendil-works/pi-agent-core",
  "@earendil-works/pi-ai",
  "@earendil-works/pi-tui",
  "typebox",
];

await build({
  entryPoints: [here("src/index.ts")],
  outfile: here("dist/index.js"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
  minifySyntax: true,
  legalComments: "eof",
  logLevel: "warning",
  alias: SOURCES,
  external: HOST.flatMap((name) => [name, `${name}/*`]),
});
