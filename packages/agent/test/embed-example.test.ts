// The example of the README: it runs, and the README shows it.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cardAgent } from "../examples/embed.ts";
import type { OutcomeEvent } from "../src/index.ts";
import { DONE, fauxOf, textOf, turn } from "./support/faux-run.ts";

describe("examples/embed.ts", () => {
  it("runs a call that upstream would refuse, teaches it, and reports it", async () => {
    const core = fauxOf([turn(["tag_card", { id: "K-1", tags: '["bug","ui"]' }]), DONE]);
    const outcomes: OutcomeEvent[] = [];
    const agent = cardAgent(core.streamSimple, (event) => outcomes.push(event));
    agent.state.model = core.getModel();
    await agent.prompt("Tag K-1.");
    const result = agent.state.messages.find((message) => message.role === "toolResult");
    expect(textOf(result as never)).toMatch(/^K-1 is tagged bug, ui\n\[harness] [^\n]*aliasRename/);
    expect(outcomes).toMatchObject([{ tool: "tag_card", outcome: "repaired", taught: "note", executed: "ok" }]);
  });

  it("is what the README shows", () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
    const source = read("../examples/embed.ts").split("\n").slice(1).join("\n").trim();
    expect(read("../README.md")).toContain(source);
  });
});
