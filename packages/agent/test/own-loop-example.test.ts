// The example for hosts with a loop of their own: it runs, and docs/embedding.md shows it.
import { readFileSync } from "node:fs";
import { RepairSession } from "@pi-mend/agent/door";
import { describe, expect, it, vi } from "vitest";
import { runCalls } from "../examples/own-loop.ts";
import { turn } from "./support/faux-run.ts";

const look = {
  name: "look",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, depth: { type: "integer" } },
    required: ["path"],
  },
};

describe("examples/own-loop.ts", () => {
  it("runs what is right or repaired, answers the rest, and reports each call", async () => {
    const said = vi.spyOn(console, "log").mockImplementation(() => {});
    const session = new RepairSession();
    const ran: unknown[] = [];
    const run = async (name: string, args: unknown) => `${name} ${ran.push(args)}`;
    const reply = turn(
      ["look", { path: "a" }],
      ["look", { path: "b", depth: "2" }],
      ["look", { path: null }],
      ["x", {}],
    );
    const [message, ...results] = await runCalls(reply, new Map([["look", look]]), session, run);
    expect(ran).toEqual([{ path: "a" }, { path: "b", depth: 2 }]);
    expect(message.content).toMatchObject([
      {},
      { arguments: { depth: 2 }, repair: { original: { depth: "2" } } },
      {},
      {},
    ]);
    const texts = results.map(({ content }) => content.map((block) => (block.type === "text" ? block.text : "")));
    expect(texts[0]).toEqual(["look 1"]);
    expect(texts[1]).toEqual(["look 2", expect.stringMatching(/^\[harness] numberFromString: /)]);
    expect(texts[2]).toEqual([expect.stringMatching(/^the call was not run\./)]);
    expect(texts[3]).toEqual([expect.stringContaining("look")]);
    const events = said.mock.calls.map(([line]) => JSON.parse(line));
    expect(events.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      "look bounced",
      "(unknown) refused",
      "look clean",
      "look repaired",
    ]);
    for (const event of events) expect(Object.keys(event)).toHaveLength(10);
    const cut = { ...reply, stopReason: "length" as const };
    expect(await runCalls(cut, new Map([["look", look]]), session, run)).toHaveLength(1);
    said.mockRestore();
  });

  it("is what the page shows", () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
    const source = read("../examples/own-loop.ts").split("\n").slice(1).join("\n").trim();
    expect(read("../../../docs/embedding.md")).toContain(source);
  });
});
