// A release as far as it goes without a registry: npm's dry run of each package, the version command on a copy of the
// workspace, and the packed packages in a clean folder. No network: the registry named here answers nothing.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

const FOLDERS = ["ai", "agent", "coding-agent"] as const;
const NO_REGISTRY = {
  npm_config_registry: "http://127.0.0.1:1/",
  npm_config_fetch_retries: "0",
  npm_config_offline: "true",
};
const env = { ...process.env, ...NO_REGISTRY };
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

interface Packed {
  readonly version: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe.each(FOLDERS)("npm publish --dry-run of packages/%s", (name) => {
  const folder = join(ROOT, "packages", name);
  const manifest = json(join(folder, "package.json"));
  const text = execFileSync("npm", ["publish", "--dry-run", "--json"], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const said = JSON.parse(text);
  // npm 11 names the package, npm 10 does not.
  const packed: Packed = said[manifest.name] ?? said;

  test("goes through, with the version of the workspace", () => {
    expect(packed.version).toBe(json(join(ROOT, "package.json")).version);
  });

  test("packs what is built, the changelog, README and LICENSE, and nothing else", () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of paths)
      expect(path).toMatch(/^(?:dist\/.+\.(?:js|d\.ts)|(?:README|CHANGELOG)\.md|LICENSE|package\.json)$/);
    for (const needed of ["README.md", "CHANGELOG.md", "LICENSE"]) expect(paths).toContain(needed);
    const named = [
      manifest.main,
      manifest.types,
      ...Object.values(manifest.bin ?? {}),
      ...(manifest.pi?.extensions ?? []),
    ];
    for (const path of named.filter(Boolean)) expect(paths).toContain(path.replace(/^\.\//, ""));
    expect(packed.unpackedSize).toBeLessThan(2_000_000);
  });

  test("is public and asks for provenance; the repository is the one that publishes", () => {
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
    expect(manifest.private).toBeUndefined();
    expect(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8")).toContain(
      "repository.url=git+https://github.com/$GITHUB_REPOSITORY.git",
    );
  });
});

test("npm run version: manifests, lock file and changelogs move together, and nothing else does", () => {
  const copy = tempFolder();
  const files = globSync(
    ["package.json", "package-lock.json", "packages/*/package.json", "packages/*/CHANGELOG.md", "scripts/version.mjs"],
    { cwd: ROOT },
  );
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  execFileSync("npm", ["run", "-s", "version", "--", "7.6.5", "--date", "2031-02-03"], { cwd: copy, env });
  const { packages } = json(join(copy, "package-lock.json"));
  for (const folder of ["", ...FOLDERS.map((name) => `packages/${name}`)]) {
    const manifest = json(join(copy, folder, "package.json"));
    expect([manifest.version, packages[folder].version]).toEqual(["7.6.5", "7.6.5"]);
    for (const kind of ["dependencies", "devDependencies"]) {
      expect(packages[folder][kind] ?? {}).toEqual(manifest[kind] ?? {});
      for (const [name, range] of Object.entries(manifest[kind] ?? {}))
        if (name.startsWith("@pi-mend/")) expect(range).toBe("7.6.5");
    }
  }
  for (const name of FOLDERS) {
    const before = readFileSync(join(ROOT, "packages", name, "CHANGELOG.md"), "utf8");
    const after = readFileSync(join(copy, "packages", name, "CHANGELOG.md"), "utf8");
    expect(after.replace("## 7.6.5 (2031-02-03)\n\n", "")).toBe(before);
  }
  // Third parties stay where they were.
  const others = (lock: { packages: Record<string, unknown> }) =>
    Object.fromEntries(
      Object.entries(lock.packages).filter(([path]) => path.startsWith("node_modules/") && !path.includes("pi-mend")),
    );
  expect(others({ packages })).toEqual(others(json(join(ROOT, "package-lock.json"))));
});

test("the shell command installs alone: npm brings no pi along", () => {
  const folder = tempFolder();
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const cwd = join(ROOT, "packages/coding-agent");
  const tarball = join(folder, execFileSync("npm", args, { cwd, env, encoding: "utf8" }).trim());
  const own = {
    ...env,
    HOME: folder,
    PI_CODING_AGENT_DIR: join(folder, "agent"),
    npm_config_cache: join(folder, "cache"),
  };
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: folder, env: own, stdio: "pipe" });
  const said = execFileSync("npx", ["--no-install", "pi-mend", "health"], { cwd: folder, env: own, encoding: "utf8" });
  expect(said).toBe("No calls were counted yet.\n");
});

describe("the packed packages in a clean folder", () => {
  const clean = tempFolder();
  const modules = join(clean, "node_modules");
  for (const name of FOLDERS) {
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", clean];
    const tarball = execFileSync("npm", args, { cwd: join(ROOT, "packages", name), env, encoding: "utf8" }).trim();
    const target = join(modules, json(join(ROOT, "packages", name, "package.json")).name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"], { cwd: clean });
  }
  symlinkSync(join(ROOT, "node_modules/@earendil-works"), join(modules, "@earendil-works"));
  writeFileSync(join(clean, "package.json"), '{"type":"module"}');

  test("every entry that the manifests export can be imported", () => {
    const entries = (["@pi-mend/ai", "@pi-mend/agent"] as const).flatMap((name) =>
      Object.keys(json(join(modules, name, "package.json")).exports)
        .filter((key) => !key.includes("*") && !key.endsWith(".json"))
        .map((key) => name + key.slice(1)),
    );
    expect(entries.length).toBeGreaterThan(7);
    const source = `for (const name of ${JSON.stringify([...entries, "@pi-mend/ai/api/openai-completions"])}) {
      if (Object.keys(await import(name)).length === 0) throw new Error(name + " exports nothing");
    }`;
    writeFileSync(join(clean, "all.mjs"), source);
    expect(() => execFileSync(process.execPath, ["all.mjs"], { cwd: clean, stdio: "pipe" })).not.toThrow();
  });

  test("pi runs a session with the packed extension, and the call is mended", async () => {
    const [home, cwd] = [tempFolder(), tempFolder()];
    writeFileSync(join(cwd, "a.txt"), "the file");
    const server = await startScriptedServer([
      { calls: [{ id: "c1", name: "read", arguments: '{"file_path":"a.txt"}' }] },
    ]);
    const run = await runPi({
      home,
      cwd,
      serverUrl: server.url,
      extensions: [join(modules, "pi-mend")],
      prompt: "Begin.",
    });
    await server.close();
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(readFileSync(run.sessionFile, "utf8")).toContain('"names":["aliasRename"]');
  });
});
