// Sources of small pi extensions that stand beside pi-mend in the door tests. Each says what it is there for.

/** A tool of another extension, with a schema and a machine-readable result; writes what it got to `labels.json`. */
export const LABEL_TOOL = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) {
  pi.registerTool({
    name: "set_labels", label: "Set labels", description: "Set the labels of a card",
    parameters: {
      type: "object",
      properties: { card: { type: "string" }, labels: { type: "array", items: { type: "string" } }, rank: { type: "integer" } },
      required: ["card", "labels"], additionalProperties: false,
    },
    outputSchema: { type: "object" },
    async execute(_id, args, _signal, _update, ctx) {
      writeFileSync(join(ctx.cwd, "labels.json"), JSON.stringify(args));
      return { content: [{ type: "text", text: "labelled" }], structuredContent: { ok: true }, details: {} };
    },
  });
}`;

/** Sees results after pi-mend did; writes the machine-readable ones to `structured.json`. */
export const STRUCTURED_WITNESS = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) {
  pi.on("tool_result", (event, ctx) => {
    writeFileSync(join(ctx.cwd, "structured.json"), JSON.stringify(event.structuredContent ?? null));
  });
}`;

const OWN_EDIT = `{
    name: "edit", label: "Edit", description: "Another edit",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, oldText: { type: "string" }, newText: { type: "string" } },
      required: ["path", "oldText", "newText"], additionalProperties: false,
    },
    async execute(_id, args, _signal, _update, ctx) {
      writeFileSync(join(ctx.cwd, "other-edit.json"), JSON.stringify(args));
      return { content: [{ type: "text", text: "other edit ran" }], details: {} };
    },
  }`;

/** Replaces pi's edit when it is loaded. */
export const EDIT_AT_LOAD = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) { pi.registerTool(${OWN_EDIT}); }`;

/** Replaces pi's edit when the session starts. */
export const EDIT_AT_SESSION_START = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) { pi.on("session_start", () => pi.registerTool(${OWN_EDIT})); }`;

/** A tool that takes an older shape through \`prepareArguments\`; writes what it got to \`move.json\`. */
export const PREPARING_TOOL = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) {
  pi.registerTool({
    name: "move_card", label: "Move card", description: "Move a card",
    parameters: {
      type: "object",
      properties: { card: { type: "string" }, target: { type: "object", properties: { column: { type: "string" }, place: { type: "integer" } }, required: ["column", "place"] } },
      required: ["card", "target"], additionalProperties: false,
    },
    prepareArguments(args) {
      if (typeof args?.legacyTarget !== "string") return args;
      const [column, place] = args.legacyTarget.split("#");
      return { card: args.card, target: { column, place: Number(place) } };
    },
    async execute(_id, args, _signal, _update, ctx) {
      writeFileSync(join(ctx.cwd, "move.json"), JSON.stringify(args));
      return { content: [{ type: "text", text: "moved" }], details: {} };
    },
  });
}`;

/** Calls pi's edit from inside another tool, as scripts do, in the flat shape. */
export const CALLING_TOOL = `
export default function (pi) {
  pi.registerTool({
    name: "tidy", label: "Tidy", description: "Tidy a file",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    reachesTools: ["edit"],
    async execute(_id, _args, _signal, _update, ctx) {
      const outcome = await ctx.executeTool("edit", { path: "list.txt", oldText: "two", newText: "2" });
      return { content: [{ type: "text", text: JSON.stringify(outcome.result?.content ?? outcome.content) }], details: {} };
    },
  });
}`;

/** The same with another harness's names, which pi's own preparation of edit does not know. */
export const CALLING_WITH_ALIASES = CALLING_TOOL.replace(
  `{ path: "list.txt", oldText: "two", newText: "2" }`,
  `{ file_path: "list.txt", old_string: "two", new_string: "2" }`,
);

/** Signs every tool call as it arrives, as providers with signed reasoning do. */
export const SIGNING_PROVIDER = `
export default function (pi) {
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant") return;
    const sign = (block) => (block.type === "toolCall" ? { ...block, thoughtSignature: "c2lnbmVk" } : block);
    return { message: { ...message, content: message.content.map(sign) } };
  });
}`;

/** Refuses every tool call with a reason of its own, as permission gates do. */
export const REFUSING_GATE = `
export default function (pi) {
  pi.on("tool_call", () => ({ block: true, reason: "the gate is closed" }));
}`;

/** Replaces pi's read by a tool of the same name with a schema of its own. */
export const OTHER_READ = `
export default function (pi) {
  pi.registerTool({
    name: "read", label: "Read", description: "Another read",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
    async execute(_id, args) {
      return { content: [{ type: "text", text: "other read of " + args.path }], details: {} };
    },
  });
}`;

/** A tool whose owner sends hints for it; writes what it got to \`ticket.json\`. */
export const HINTED_TOOL = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) {
  pi.registerTool({
    name: "ticket", label: "Ticket", description: "Create a ticket",
    parameters: {
      type: "object",
      properties: { title: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
      required: ["title"],
    },
    async execute(_id, args, _signal, _update, ctx) {
      writeFileSync(join(ctx.cwd, "ticket.json"), JSON.stringify(args));
      return { content: [{ type: "text", text: "created" }], details: {} };
    },
  });
  pi.on("session_start", () => {
    pi.events.emit("pi-mend:tool-hints", {
      ticket: { aliases: { title: ["subject"], labels: ["tags"] } },
      broken: { alias: { title: ["x"] } },
    });
  });
}`;

/** Marks every assistant message, as extensions that keep notes on messages do. */
export const MARKS_MESSAGES = `
export default function (pi) {
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant") return;
    const mark = (block) => (block.type === "toolCall" ? { ...block, marked: true } : block);
    return { message: { ...message, content: message.content.map(mark) } };
  });
}`;

/** Changes results, as redactors and shorteners do. */
export const CHANGES_RESULTS = `
export default function (pi) {
  pi.on("tool_result", (event) => ({
    content: event.content.map((block) => (block.type === "text" ? { ...block, text: block.text.replaceAll("secret", "[hidden]") } : block)),
  }));
}`;
