// The rows of the weak model's script that call the extension's ticket tool: mistakes in fields that an MCP server or an
// extension declares. Inputs only; every verdict is computed elsewhere from a real run.
import { json, ticket } from "./chore.mjs";

/** @type {import("./chore.mjs").Chore[]} in the order they are sent */
export const TICKET_CHORES = [
  ticket(
    json({ key: "OPS-1", title: "Total is wrong", labels: '["cart","bug"]' }),
    { key: "OPS-1", title: "Total is wrong", labels: ["cart", "bug"] },
    {
      tag: "labels",
      at: '"labels"',
      kind: "labels sent as the text of a list",
      stock: "wrong",
      mended: "right",
    },
  ),
  ticket(
    json({ key: "OPS-2", title: "Raise the cache", labels: { item: ["cache"] } }),
    { key: "OPS-2", title: "Raise the cache", labels: ["cache"] },
    {
      tag: "item",
      at: '"labels"',
      kind: "list inside an {item} object",
      stock: "bounced",
      mended: "right",
    },
  ),
  ticket(
    json({ key: "OPS-3", title: "Clean up", labels: "null", estimate_hours: "" }),
    { key: "OPS-3", title: "Clean up" },
    {
      tag: "nothing",
      at: '"labels"',
      kind: '"null" and "" for fields left out',
      stock: "wrong",
      mended: "right",
    },
  ),
  ticket(
    json({ key: "OPS-4", title: "Queue is slow", priority: "HIGH", notify: "True" }),
    { key: "OPS-4", title: "Queue is slow", priority: "high", notify: true },
    {
      tag: "enum",
      at: '"priority"',
      kind: "enum word in another case",
      stock: "bounced",
      mended: "right",
    },
  ),
  ticket(
    json({ key: "OPS-5", title: "Release 4.5", milestone: "4.5" }),
    { key: "OPS-5", title: "Release 4.5", milestone: 45 },
    {
      tag: "half",
      at: '"milestone"',
      kind: '"4.5" for an integer id',
      teaches: ["milestone", "integer"],
      stock: "wrong",
      mended: "bounced",
    },
  ),
  ticket(
    json({ key: "OPS-6", title: "Write the guide", milestone: 12, estimate_hours: 1.5 }),
    { key: "OPS-6", title: "Write the guide", milestone: 12, estimate_hours: 1.5 },
    {
      tag: "clean",
      at: '"milestone"',
      kind: "nothing wrong",
      stock: "right",
      mended: "right",
    },
  ),
];
