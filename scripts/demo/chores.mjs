// The script of the weak model, as data: one row per mistake with what it sends, what it meant, and what is claimed to
// happen without and with pi-mend. Inputs only; every verdict is computed elsewhere, from the files and results of a real
// run.
import { json, one, SEED } from "./chore.mjs";
import { EDIT_CHORES } from "./edit-chores.mjs";
import { TICKET_CHORES } from "./ticket-chores.mjs";

const plan = { path: "docs/plan.md", content: "# Plan\n\n1. Fix the total.\n" };
const guide = { path: "docs/guide.md", content: "# Guide\n\nRead the plan first.\n" };
const faq = { path: "docs/faq.md", content: "# Questions\n\nNone so far.\n" };

/** @type {import("./chore.mjs").Chore[]} in the order they are sent */
export const CHORES = [
  one("write", json({ path: null, content: plan.content }), plan, {
    tag: "plan",
    kind: "null for a required path",
    files: { [plan.path]: plan.content },
    teaches: ["path", "string"],
    stock: "wrong",
    mended: "bounced",
  }),
  ...EDIT_CHORES,
  one(
    "bash",
    json({ command: ["cp", "notes/day one.txt", "notes/day two.txt"] }),
    { command: 'cp "notes/day one.txt" "notes/day two.txt"' },
    {
      tag: "copy",
      kind: "argument list for a shell command",
      files: { "notes/day two.txt": SEED["notes/day one.txt"] },
      stock: "bounced",
      mended: "right",
    },
  ),
  one(
    "bash",
    json({ command: { cmd: "mkdir -p build && echo ok > build/state" } }),
    { command: "mkdir -p build && echo ok > build/state" },
    {
      tag: "build",
      kind: "command inside a {cmd} object",
      files: { "build/state": "ok\n" },
      stock: "bounced",
      mended: "right",
    },
  ),
  one(
    "read",
    json({ path: "README.md", offset: {}, limit: {} }),
    { path: "README.md" },
    {
      tag: "readme",
      kind: "{} as placeholder for optional numbers",
      shows: ["A small shop."],
      stock: "bounced",
      mended: "right",
    },
  ),
  one(
    "read",
    json({ path: "README.md", offset: null, limit: null }),
    { path: "README.md" },
    {
      tag: "again",
      kind: "null for optional numbers",
      shows: ["A small shop."],
      stock: "right",
      mended: "right",
    },
  ),
  one(
    "read",
    json({ file_path: "notes/day one.txt" }),
    { path: "notes/day one.txt" },
    {
      tag: "day",
      kind: "file_path for path",
      shows: ["first day"],
      stock: "bounced",
      mended: "right",
    },
  ),
  one(
    "read",
    json({ path: "README.md" }),
    { path: "README.md" },
    {
      tag: "case",
      sentName: "Read",
      kind: "tool name in another case",
      shows: ["A small shop."],
      stock: "bounced",
      mended: "right",
    },
  ),
  {
    kind: "two parallel calls, both with an empty id",
    sent: [
      { id: "", name: "read", arguments: json({ path: "src/cart.js" }) },
      { id: "", name: "read", arguments: json({ path: "config/cache.ini" }) },
    ],
    meant: [
      ["read", { path: "src/cart.js" }],
      ["read", { path: "config/cache.ini" }],
    ],
    shows: ["export function total", "[cache]"],
    stock: "wrong",
    mended: "right",
  },
  one("write", json({ arguments: guide }), guide, {
    tag: "guide",
    kind: "all arguments inside {arguments}",
    files: { [guide.path]: guide.content },
    stock: "bounced",
    mended: "right",
  }),
  one("write", `\`\`\`json\n${JSON.stringify(faq, null, 2)}\n\`\`\``, faq, {
    tag: "faq",
    kind: "arguments inside a code fence",
    files: { [faq.path]: faq.content },
    stock: "bounced",
    mended: "right",
  }),
  one(
    "bash",
    '{"command": "rm -rf tmp',
    { command: "rm -rf tmp/old" },
    {
      tag: "cut",
      kind: "cut in mid-command, labelled complete",
      files: { "tmp/old/trace.log": null },
      stock: "bounced",
      mended: "bounced",
    },
  ),
  ...TICKET_CHORES,
];
