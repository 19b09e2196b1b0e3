// A small agent on pi-agent-core with calls that are repaired: the package name is the only change.
import { Agent, type AgentTool, type OutcomeEvent, type StreamFn } from "@pi-mend/agent";

const tagCard: AgentTool = {
  name: "tag_card",
  label: "Tag card",
  description: "Sets the tags of a card",
  parameters: {
    type: "object",
    properties: { card: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
    required: ["card", "tags"],
  },
  execute: async (_id, args) => {
    const { card, tags } = args as { card: string; tags: string[] };
    return { content: [{ type: "text", text: `${card} is tagged ${tags.join(", ")}` }], details: {} };
  },
};

/** An agent whose model may send `{"id": "K-1", "tags": "[\"bug\"]"}`. */
export function cardAgent(streamFn: StreamFn, onOutcome: (event: OutcomeEvent) => void): Agent {
  return new Agent({
    streamFn,
    initialState: { systemPrompt: "You tag cards.", tools: [tagCard] },
    toolRepair: { hints: { tag_card: { aliases: { card: ["id"] } } }, onOutcome },
  });
}
