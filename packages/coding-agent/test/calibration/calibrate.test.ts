// `/mend calibrate` in the real pi: which verdict each kind of model gets, what a verdict switches, and what leaves none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printEnvelope } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { wireText } from "../text-calls/support/leak-run.ts";
import { calibrationHome } from "./support/calibration-run.ts";
import { nativeModel, type PlayedModel, textModel } from "./support/models.ts";

const NAME = "scripted/scripted";
const PI_CALL = textModel("<pi:call", (name, json) => printEnvelope(name, json));
const TAG = textModel("<tool_call>", (name, json) => printEnvelope(name, json, "tool-call"));

describe("the verdict", () => {
  it.each<[string, PlayedModel, string, number]>([
    ["native for a model that makes native calls", nativeModel(), "native", 2],
    ["native for one that does so only when told which call", nativeModel(["echo"]), "native", 3],
    ["native where the call needs repair", nativeModel(undefined, (args) => JSON.stringify([args])), "native", 2],
    ["text for a model that only answers in text", PI_CALL, "text:pi-call", 6],
    ["text in the first form that works", TAG, "text:tool-call", 7],
    [
      "text where the server takes no tools",
      (request) =>
        request.tools?.length ? { status: 400, error: "scripted does not support tools" } : PI_CALL(request),
      "text:pi-call",
      6,
    ],
    ["none for a model that makes no call", () => ({ text: "Hello." }), "none", 5],
  ])("is %s", async (_, model, verdict, requests) => {
    const at = calibrationHome();
    const before = Date.now();
    const run = await at.run("/mend calibrate", model);
    const kept = at.store().protocol(NAME);
    expect(kept).toMatchObject({ verdict, cost: { requests } });
    expect(kept?.at).toBeGreaterThanOrEqual(before);
    expect(kept?.cost.input).toBeGreaterThan(0);
    expect(run.requests).toHaveLength(requests);
    expect(run.stdout).toContain(NAME);
    expect(run.session).not.toMatch(/echo|stock\.txt/);
  });

  it.each<[string, PlayedModel, RegExp]>([
    ["an answer does not come in time", () => "hang", /No verdict: no answer within 1 seconds/],
    [
      "the second answer does not come in time",
      (request) => (wireText(request.messages.at(-1)).includes("apples:") ? "hang" : nativeModel()(request)),
      /native task +timeout/,
    ],
    ["the server fails", () => ({ status: 400, error: "out of credits" }), /No verdict: .*out of credits/],
    [
      "the server fails in the middle of a form",
      (request) => (request.messages.length > 2 ? { status: 400, error: "gone" } : PI_CALL(request)),
      /text pi-call +error/,
    ],
    ["an answer is cut off", () => ({ text: "Let me see", finish: "length" }), /cut off/],
  ])("is none at all when %s", async (_, model, says) => {
    const at = calibrationHome();
    const run = await at.run("/mend calibrate --timeout 1", model, ["--mode", "json"]);
    const events = run.stdout
      .trim()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    const { data } = events.find(({ type }: { type: string }) => type === "entry_appended").entry;
    expect(data).toMatchObject({ code: 1, text: expect.stringMatching(says) });
    expect(at.store().protocol(NAME)).toBeUndefined();
  });

  it("is not given to a form that works once and not again", async () => {
    let asked = 0;
    const model: PlayedModel = (request) => {
      const isPrimed = wireText(request.messages[0]).includes("<pi:call") && request.messages.length === 2;
      return isPrimed && ++asked > 1 ? { text: "No." } : PI_CALL(request);
    };
    const at = calibrationHome();
    await at.run("/mend calibrate", model);
    expect(at.store().protocol(NAME)?.verdict).toBe("none");
  });

  it("is not given where the answer does not show that the result was read", async () => {
    const at = calibrationHome();
    await at.run("/mend calibrate", (request) => {
      const isResult = request.messages.at(-1)?.role === "tool";
      return isResult ? { text: "It is 7." } : nativeModel()(request);
    });
    expect(at.store().protocol(NAME)?.verdict).toBe("none");
  });

  it("is asked for another model by name, and refused for one that there is not", async () => {
    const at = calibrationHome();
    expect((await at.run("/mend calibrate scripted", nativeModel())).stdout).toContain("native calls");
    const unknown = await at.run("/mend calibrate gpt-99", nativeModel());
    expect(unknown.stderr).toContain("No such model");
    expect(unknown.requests).toHaveLength(0);
    expect((await at.run("/mend calibrate --timeout no", nativeModel())).stderr).toContain("seconds");
  });
});

describe("what follows from it", () => {
  /** Reads a file when asked to, in whichever form it was shown; says what it read. */
  const worker: PlayedModel = ({ messages, tools }) => {
    const last = wireText(messages.at(-1));
    if (last.includes("line of text")) return { text: "Read: line of text" };
    const args = JSON.stringify({ path: "list.txt" });
    if (tools?.length) return { calls: [{ id: "c", name: "read", arguments: args }] };
    const isTag = wireText(messages[0]).includes("<tool_call>{");
    return { text: printEnvelope("read", args, isTag ? "tool-call" : "pi-call") };
  };

  async function after(settings: object, calibrated: PlayedModel) {
    const at = calibrationHome({ ...settings });
    writeFileSync(join(at.cwd, "list.txt"), "line of text\n");
    const { stdout } = await at.run("/mend calibrate", calibrated);
    const run = await at.run("Read list.txt.", worker);
    expect(run.stdout).toContain("Read: line of text");
    return { said: stdout, requests: run.requests, health: (await at.run("/mend health", worker)).stdout };
  }

  it("text: the model's calls are made in text, in the form that worked, and health says so", async () => {
    const { said, requests, health } = await after({}, TAG);
    expect(said).toContain("Its calls are made in text from the next request on");
    expect(requests.map(({ tools }) => tools ?? [])).toEqual([[], []]);
    expect(wireText(requests[0]?.messages[0])).toContain('<tool_call>{"name": "TOOL"');
    expect(wireText(requests[1]?.messages.at(-2))).toBe(
      '<tool_call>{"name": "read", "arguments": {"path":"list.txt"}}</tool_call>',
    );
    expect(health).toMatch(
      /protocol +calls as text \(tool-call\), measured \d{4}-\d\d-\d\d: 7 requests, 700 \+ 140 tokens/,
    );
  });

  it("native: tools stay native", async () => {
    const { said, requests } = await after({}, nativeModel());
    expect(said).toContain("Its tools stay native");
    expect(requests[0]?.tools?.length).toBeGreaterThan(0);
  });

  it("the setting has the last word, either way", async () => {
    const off = await after({ textProtocol: false }, PI_CALL);
    expect(off.said).toContain("textProtocol is off (user settings)");
    expect(off.requests[0]?.tools?.length).toBeGreaterThan(0);
    const on = await after({ textProtocol: true, textModels: [NAME] }, nativeModel());
    expect(on.said).toContain("its calls stay in text");
    expect(on.requests[0]?.tools ?? []).toEqual([]);
  });
});

describe("the offer", () => {
  const failing: PlayedModel = ({ messages }) =>
    messages.filter(({ role }) => role === "tool").length < 3
      ? { calls: [{ id: `c${messages.length}`, name: "write", arguments: '{"path":"a.txt"}' }] }
      : { text: "I give up." };

  it("is made once to a model whose calls keep failing, and runs nothing", async () => {
    const at = calibrationHome();
    const first = await at.run("Begin.", failing);
    expect(first.stderr.split("/mend calibrate")).toHaveLength(2);
    expect(first.requests).toHaveLength(4);
    expect((await at.run("Begin.", failing)).stderr).not.toContain("calibrate");
  });

  it("is not made to a model with a verdict, nor to one whose calls run in between", async () => {
    const at = calibrationHome();
    await at.run("/mend calibrate", nativeModel());
    expect((await at.run("Begin.", failing)).stderr).not.toContain("calibrate");
    const other = calibrationHome();
    const mixed: PlayedModel = ({ messages }) => {
      const made = messages.filter(({ role }) => role === "tool").length;
      if (made > 4) return { text: "Done." };
      const [name, args] = made === 2 ? ["bash", '{"command":"true"}'] : ["write", '{"path":"a.txt"}'];
      return { calls: [{ id: `c${made}`, name, arguments: args }] };
    };
    expect((await other.run("Begin.", mixed)).stderr).not.toContain("calibrate");
  });

  it("is made to a model that only prints its calls", async () => {
    const at = calibrationHome();
    const run = await at.run("Begin.", () => ({
      text: '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>',
    }));
    expect(run.stderr).toContain("/mend calibrate");
  });
});
