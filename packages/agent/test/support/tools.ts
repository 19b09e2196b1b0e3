// Tools for the loop's tests: each records what it ran with.
import type { AgentTool } from "@earendil-works/pi-agent-core";

export type RecordingTool = AgentTool & { readonly ran: unknown[] };

/** A tool that records its arguments and answers `ran <name>`, unless `extra` says otherwise. */
export function recordingTool(name: string, extra: Partial<AgentTool> = {}): RecordingTool {
  const ran: unknown[] = [];
  const { execute, ...rest } = extra;
  return {
    name,
    label: name,
    description: `The ${name} tool`,
    parameters: LOOK,
    ...rest,
    ran,
    execute: async (id, params, signal, update) => {
      ran.push(structuredClone(params));
      return execute?.(id, params, signal, update) ?? { content: [{ type: "text", text: `ran ${name}` }], details: {} };
    },
  };
}

export const LOOK = {
  type: "object",
  properties: {
    path: { type: "string" },
    depth: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["path"],
  additionalProperties: false,
};
