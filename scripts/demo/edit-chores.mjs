// The rows of the weak model's script that call `edit`, the tool whose list of objects is got wrong most often. Inputs
// only; every verdict is computed elsewhere from a real run.
import { edit, json } from "./chore.mjs";

const retry = [{ oldText: "retries = 3", newText: "retries = 5" }];
const cart = [
  { oldText: "  return items.length;\n}", newText: "  return items.reduce((sum, item) => sum + item.price, 0);\n}" },
];
const cache = [{ oldText: "ttl = 30", newText: "ttl = 90" }];
const queue = [{ oldText: "workers = 2", newText: "workers = 4" }];
const tax = [
  { oldText: "RATE = 0.19", newText: "RATE = 0.2" },
  { oldText: "ROUND = 2", newText: "ROUND = 3" },
];
const log = [{ oldText: "'info'", newText: "'debug'" }];

/** @type {import("./chore.mjs").Chore[]} in the order they are sent */
export const EDIT_CHORES = [
  edit(
    json({ path: "config/retry.ini", edits: "[{'oldText': 'retries = 3', 'newText': 'retries = 5'},]" }),
    "config/retry.ini",
    retry,
    {
      tag: "retry",
      at: '"edits"',
      kind: "list sent as the text of a Python list",
      stock: "bounced",
      mended: "right",
    },
  ),
  edit(json({ path: "src/cart.js", edits: json(cart).replaceAll("\\n", "\n") }), "src/cart.js", cart, {
    tag: "cart",
    at: '"edits"',
    kind: "list sent as text with raw line breaks",
    stock: "bounced",
    mended: "right",
  }),
  edit(json({ path: "config/cache.ini", edits: [json(cache[0])] }), "config/cache.ini", cache, {
    tag: "cache",
    at: '"edits"',
    kind: "list of objects sent as list of texts",
    stock: "bounced",
    mended: "right",
  }),
  edit(
    json({ file_path: "config/queue.ini", edits: { old_text: "workers = 2", new_text: "workers = 4" } }),
    "config/queue.ini",
    queue,
    {
      tag: "queue",
      kind: "one object for a list, every key renamed",
      stock: "bounced",
      mended: "right",
    },
  ),
  edit(
    json({ path: "src/tax.js", edits: [{ ...tax[0], oldText2: tax[1].oldText, newText2: tax[1].newText }] }),
    "src/tax.js",
    tax,
    { tag: "tax", at: '"oldText2"', kind: "second edit under invented keys", stock: "wrong", mended: "right" },
  ),
  edit(json({ path: "src/log.js", "edits[0].oldText": "'info'", "edits[0].newText": "'debug'" }), "src/log.js", log, {
    tag: "log",
    at: '"edits[0]',
    kind: "list flattened into its keys",
    stock: "bounced",
    mended: "right",
  }),
];
