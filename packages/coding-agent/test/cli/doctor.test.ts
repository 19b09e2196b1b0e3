// `doctor` against the installed pi: what it says it saw is what pi does.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { HOST_FACTS } from "../../src/cli/doctor/host-facts.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

const PI = join(dirname(findPackageJSON("@earendil-works/pi-coding-agent", import.meta.url)!), "dist/bundle/cli.js");

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

async function doctor(extension?: string, pi = PI, packages: readonly string[] = []) {
  const folder = tempFolder();
  const agent = join(folder, "agent");
  mkdirSync(join(agent, "extensions"), { recursive: true });
  writeFileSync(join(agent, "settings.json"), JSON.stringify({ packages }));
  if (extension !== undefined) writeFileSync(join(agent, "extensions", "other.ts"), extension);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    PI_CODING_AGENT_DIR: agent,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  };
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const shell = { env, cwd: folder, now: () => 0, trusted: false, write, warn: write };
  const code = await runCommand(["doctor", "--json", "--pi", pi], shell);
  return { code, diagnosis: JSON.parse(out), agent };
}

const probesLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith("pi-mend-doctor-"));

describe("doctor", () => {
  test("finds every fact to hold in this pi, no conflict, and leaves nothing behind", async () => {
    const before = probesLeft();
    const { code, diagnosis, agent } = await doctor();
    expect(diagnosis.facts.filter((fact: { holds: boolean }) => !fact.holds)).toEqual([]);
    expect(diagnosis.facts).toHaveLength(HOST_FACTS.length);
    expect(diagnosis.pi.version).toMatch(/^1\.\d+\.\d+/);
    expect(diagnosis.conflicts).toEqual([]);
    expect(diagnosis.problems).toEqual([]);
    expect(code).toBe(0);
    expect(probesLeft()).toEqual(before);
    expect(readdirSync(agent)).not.toContain("sessions");
  }, 90_000);

  test("names the built-in tool that another extension replaces, and who that is", async () => {
    const { diagnosis, agent } = await doctor(`
export default function (pi) {
  pi.registerTool({ name: "read", label: "r", description: "r", parameters: { type: "object", properties: {} },
    async execute() { return { content: [] }; } });
  pi.registerTool({ name: "other", label: "o", description: "o", parameters: { type: "object", properties: {} },
    async execute() { return { content: [] }; } });
}`);
    expect(diagnosis.conflicts).toEqual([{ tool: "read", source: expect.stringContaining(agent) }]);
    expect(diagnosis.facts.every((fact: { holds: boolean }) => fact.holds)).toBe(true);
  }, 90_000);

  test("does not take the package itself for another extension, wherever it lies", async () => {
    const { diagnosis } = await doctor(undefined, PI, [PACKAGE]);
    expect(diagnosis.conflicts).toEqual([]);
  }, 90_000);

  test("says that a pi does not start", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "pi.js"), "process.exit(3)");
    writeFileSync(join(folder, "package.json"), '{"name":"pi","version":"0.87.1"}');
    const { code, diagnosis } = await doctor(undefined, join(folder, "pi.js"));
    expect(code).toBe(1);
    expect(diagnosis.problems).toEqual([
      "pi 0.87.1 is not supported (>=1.3.0 <2.0.0): pi-mend does nothing there",
      "pi did not start with a probe",
    ]);
  });
});

test("a fact that pi does not keep is seen", () => {
  const nothing = { sighting: { functions: {}, tools: [], ran: [] }, requests: [] };
  expect(HOST_FACTS.filter((fact) => fact.holds(nothing))).toEqual([]);
});
