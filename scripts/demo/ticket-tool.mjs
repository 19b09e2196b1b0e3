// A small pi extension for the demo: one tool, `create_ticket`, with the kinds of fields that issue trackers have. It
// writes what it received to `tickets/<key>.json`, so that a run can be judged by what the tool really got. It checks
// nothing beyond its schema.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const parameters = {
  type: "object",
  properties: {
    key: { type: "string", description: "Ticket key, for example OPS-1" },
    title: { type: "string" },
    labels: { type: "array", items: { type: "string" } },
    priority: { enum: ["low", "normal", "high"] },
    milestone: { anyOf: [{ type: "integer" }, { type: "null" }] },
    estimate_hours: { type: "number" },
    notify: { type: "boolean" },
  },
  required: ["key", "title"],
  additionalProperties: false,
};

function ticketExtension(pi) {
  pi.registerTool({
    name: "create_ticket",
    label: "Create ticket",
    description: "Create a ticket in the issue tracker",
    parameters,
    async execute(_id, ticket, _signal, _onUpdate, ctx) {
      mkdirSync(join(ctx.cwd, "tickets"), { recursive: true });
      writeFileSync(join(ctx.cwd, "tickets", `${ticket.key}.json`), JSON.stringify(ticket));
      return { content: [{ type: "text", text: `Created ticket ${ticket.key}` }], details: {} };
    },
  });
}

// biome-ignore lint/style/noDefaultExport: pi loads an extension by its default export
export default ticketExtension;
