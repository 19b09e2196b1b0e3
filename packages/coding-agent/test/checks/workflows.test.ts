// The workflows say only what exists: they parse, every step's npm script, file and order of packages is one of this
// repository. What they do on the other side is not run here.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const FOLDER = join(ROOT, ".github/workflows");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = (path = "") => JSON.parse(read(join(path, "package.json")));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}
interface Job {
  readonly "runs-on": string;
  readonly "timeout-minutes": number;
  readonly permissions?: Record<string, string>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: object;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const workflows: readonly (readonly [string, Workflow])[] = readdirSync(FOLDER).map((name) => [
  name,
  parse(readFileSync(join(FOLDER, name), "utf8"), { strict: true, uniqueKeys: true }),
]);
const steps = workflows.flatMap(([name, { jobs }]) =>
  Object.values(jobs).flatMap((job) => job.steps.map((step) => [name, step] as const)),
);
const commands = [
  ...steps.flatMap(([name, { run }]) => (run === undefined ? [] : [[name, run] as const])),
  [".ci/run", read(".ci/run")] as const,
];

/** Names of npm scripts, and files, that a shell text starts. */
const scriptsOf = (text: string) =>
  [...text.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:-]+)|(test|start)\b)/g)].map(([, run, own]) => run ?? own!);
const filesOf = (text: string) =>
  [...text.matchAll(/(?:^|[\s;&])(?:node |bash )?((?:\.ci|scripts)\/[\w./-]+)/gm)].map(([, file]) => file!);

test.each(workflows)(
  "%s has a trigger, jobs with a time limit, and no right but to read unless a job asks",
  (_, workflow) => {
    expect(Object.keys(workflow.on).length).toBeGreaterThan(0);
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of Object.values(workflow.jobs)) {
      expect(job["runs-on"]).toMatch(/^ubuntu-/);
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      for (const step of job.steps) expect([step.uses, step.run].filter((what) => what !== undefined)).toHaveLength(1);
    }
  },
);

test.each(commands)("%s runs scripts and files that exist: %s", (_, text) => {
  const { scripts } = manifest();
  for (const name of scriptsOf(text)) expect(Object.keys(scripts)).toContain(name);
  for (const file of filesOf(text)) expect(existsSync(join(ROOT, file)), file).toBe(true);
});

test("the scripts and files are found in the steps", () => {
  const all = commands.map(([, text]) => text).join("\n");
  expect(scriptsOf(all)).toEqual(
    expect.arrayContaining(["check", "test", "bench:gate", "drift-matrix", "check:audit"]),
  );
  expect(filesOf(all)).toEqual(expect.arrayContaining([".ci/run", "scripts/test-summary.mjs"]));
});

test("every script of the manifest starts a file that exists", () => {
  for (const command of Object.values<string>(manifest().scripts)) {
    for (const [file] of command.matchAll(/scripts\/[\w./-]+/g)) expect(existsSync(join(ROOT, file)), file).toBe(true);
  }
});

test("npm is the version that the manifest names", () => {
  const wanted = `npm install --global ${manifest().packageManager}`;
  const installs = commands.flatMap(([, text]) => text.match(/npm install --global \S+/g) ?? []);
  expect(installs.length).toBeGreaterThan(2);
  expect(new Set(installs)).toEqual(new Set([wanted]));
});

describe("release.yml", () => {
  const release = workflows.find(([name]) => name === "release.yml")![1];
  const [job] = Object.values(release.jobs);
  const texts = job!.steps.map(({ run }) => run ?? "");

  test("may sign, starts at a tag, and checks it and everything else before it publishes", () => {
    expect(job!.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(release.on).toEqual({ push: { tags: ["v*"] } });
    const at = (part: string) => texts.findIndex((text) => text.includes(part));
    expect(at("GITHUB_REF_NAME")).toBeGreaterThan(-1);
    expect(at(".ci/run")).toBeGreaterThan(at("GITHUB_REF_NAME"));
    expect(at("check:audit -- --required")).toBeGreaterThan(at(".ci/run"));
    expect(at("npm publish")).toBe(texts.length - 1);
  });

  test("publishes every package, those that others need first", () => {
    const { workspaces } = manifest();
    const [, list = ""] = /for folder in ([^;]+);/.exec(texts.at(-1)!) ?? [];
    const order = list.trim().split(/\s+/);
    expect([...order].sort()).toEqual([...workspaces].sort());
    const names = order.map((folder) => manifest(folder).name);
    for (const [at, folder] of order.entries()) {
      const { dependencies = {} } = manifest(folder);
      const needed = Object.keys(dependencies).filter((name) => names.includes(name));
      for (const name of needed) expect(names.indexOf(name)).toBeLessThan(at);
    }
  });
});
