// What is counted and taught about calls in text, through the real pi: a recovered call like any repaired one, everything else
// as a record of its own. Never a word of the call.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TelemetryRecord } from "../../src/memory/telemetry/telemetry.schema.ts";
import { calibrationHome } from "../calibration/support/calibration-run.ts";
import type { PlayedModel } from "../calibration/support/models.ts";
import { wireText } from "./support/leak-run.ts";
import { printed } from "./support/printed-calls.ts";

const SECRET = "s3cr3t-canary";

/** Says the texts one after the other, then "done". */
function speaker(texts: readonly string[]): PlayedModel {
  let next = 0;
  return () => ({ text: texts[next++] ?? "done" });
}

async function counted(settings: object, texts: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const at = calibrationHome({ ...settings });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at.cwd, name), text);
  const run = await at.run("Begin.", speaker(texts));
  const lines = existsSync(at.paths.telemetry) ? readFileSync(at.paths.telemetry, "utf8").trim().split("\n") : [];
  expect(lines.join("\n")).not.toContain(SECRET);
  const records: TelemetryRecord[] = lines.map((line) => JSON.parse(line));
  return { run, records, health: (await at.run("/mend health", speaker([]))).stdout };
}

describe("a recovered call", () => {
  it("counts as repaired, is taught by a note, and is shown by health", async () => {
    const { run, records, health } = await counted({ profile: "recover" }, [printed("hermes", "a.txt", SECRET)]);
    const call = records.find(({ kind }) => kind === "call");
    expect(call).toMatchObject({
      tool: "write",
      outcome: "repaired",
      modes: ["leakedCallRecovered"],
      taught: "note",
      executed: "ok",
    });
    expect(wireText(run.requests[1]?.messages.at(-1))).toMatch(
      /\[harness\] leakedCallRecovered: .*in the text.* → make calls only in the way that your tools are declared; ran as \{"path":"a\.txt"/,
    );
    expect(health).toMatch(/repaired +leakedCallRecovered 1/);
    expect(health).toMatch(/calls in text +1 recovered \(hermes 1\)/);
  });

  it("counts what was repaired in its arguments, too", async () => {
    const text = '<tool_call>\n{"name": "read", "arguments": {"file_path": "a.txt"}}\n</tool_call>';
    const { run, records } = await counted({ profile: "recover" }, [text], { "a.txt": "x" });
    const modes = ["leakedCallRecovered", "aliasRename"];
    expect(records.find(({ kind }) => kind === "call")).toMatchObject({ modes });
    expect(run.session).toContain(JSON.stringify(modes));
  });

  it("becomes a standing rule where it is a habit", async () => {
    const texts = ["a", "b", "c"].map((name) => printed("hermes", `${name}.txt`, "1"));
    const at = calibrationHome({ profile: "recover" });
    await at.run("Begin.", speaker(texts));
    const next = await at.run("Begin.", speaker([]));
    expect(wireText(next.requests[0]?.messages[0])).toContain(
      "Make calls only in the way that your tools are declared",
    );
  });
});

describe("a message that held calls and ran none", () => {
  it.each([
    ["stripped", "adaptive", {}],
    ["observed", "conservative", {}],
  ])("is counted as %s in profile %s", async (action, profile) => {
    const { records, health } = await counted({ profile }, [`Now:\n${printed("kimi", "a.txt", SECRET)}`]);
    expect(records).toMatchObject([
      { v: 1, kind: "leak", provider: "scripted", model: "scripted", action, families: ["kimi"], refused: [] },
    ]);
    expect(health).toMatch(new RegExp(`calls in text +1 ${action} \\(kimi 1\\)`));
    expect(health).toMatch(/scripted\/scripted +0 /);
  });

  it("is counted with why its calls could not run", async () => {
    const text = `<tool_call>\n{"name": "write", "arguments": {"path": "${SECRET}"}}\n</tool_call>`;
    const { records } = await counted({ profile: "recover" }, [text]);
    expect(records).toMatchObject([{ kind: "leak", action: "stripped", refused: ["arguments"] }]);
  });

  it("is counted as kept where it quotes what a file says", async () => {
    const call = printed("hermes", "owned.txt", SECRET);
    const at = calibrationHome({ profile: "recover" });
    writeFileSync(join(at.cwd, "list.txt"), `# Notes\n\n${call}\n`);
    const model: PlayedModel = ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: `As the file says:\n\n${call}` }
        : { calls: [{ id: "c", name: "read", arguments: '{"path":"list.txt"}' }] };
    await at.run("Begin.", model);
    const records = readFileSync(at.paths.telemetry, "utf8");
    expect(records).toContain('"action":"kept"');
    expect(records).not.toContain(SECRET);
  });

  it("is not counted where telemetry is off", async () => {
    const { records } = await counted({ profile: "adaptive", telemetry: false }, [printed("kimi", "a.txt", SECRET)]);
    expect(records).toEqual([]);
  });
});
