// One row of the weak model's script: its type, the files that the rows work on, and the builders that make a row from
// what is sent and what was meant. Used by the lists of rows. It holds no row of its own.

/**
 * @typedef {"right" | "wrong" | "bounced"} Verdict right: exactly what was meant. wrong: something else was done.
 *   bounced: nothing was done and the model was told
 *
 * @typedef {object} Chore
 * @property {string} kind the mistake in a few words
 * @property {import("./scripted-server.mjs").ScriptedCall[]} sent
 * @property {[name: string, args: object][]} meant the same calls made correctly; sent in another turn after a bounce
 * @property {Record<string, string | null>} [files] what the calls leave behind when they run as meant; `null`: removed
 * @property {string[]} [shows] texts that the results must hold, one per call, when they run as meant. A chore has
 *   `files` or `shows`, or a call that ran could not be told from one that did not
 * @property {string[]} [teaches] words that the bounce of pi-mend must hold to be of use
 * @property {string} [at] where in the wire text the mistake starts, for display
 * @property {Verdict} stock
 * @property {Verdict} mended
 */

/** What the work folder holds at the start. */
export const SEED = {
  "README.md": "# Shop\n\nA small shop.\n",
  "src/cart.js": "export function total(items) {\n  return items.length;\n}\n",
  "src/tax.js": "export const RATE = 0.19;\nexport const ROUND = 2;\n",
  "src/log.js": "const level = 'info';\nconst target = 'stdout';\n",
  "config/retry.ini": "[http]\nretries = 3\nbackoff = 200\n",
  "config/cache.ini": "[cache]\nsize = 64\nttl = 30\n",
  "config/queue.ini": "[queue]\nworkers = 2\nlimit = 10\n",
  "notes/day one.txt": "first day\n",
  "tmp/keep.log": "keep me\n",
  "tmp/old/trace.log": "old\n",
};

/** What a well-behaved model sends. */
export const json = (value) => JSON.stringify(value);

/**
 * A row of one call. `sentName` in `rest` is the name the model uses when that is the mistake.
 * @returns {Chore}
 */
export function one(name, wire, args, rest) {
  const sent = [{ id: `call_${rest.tag}`, name, arguments: wire }];
  const { tag: _tag, sentName, ...row } = rest;
  return { sent: sentName ? [{ ...sent[0], name: sentName }] : sent, meant: [[name, args]], ...row };
}

/** A row of one `edit`; the file it should leave is worked out from the seed. */
export function edit(wire, path, edits, rest) {
  const text = edits.reduce((whole, change) => whole.replace(change.oldText, change.newText), SEED[path]);
  return one("edit", wire, { path, edits }, { files: { [path]: text }, ...rest });
}

/** A row of one `create_ticket`; the file it should leave holds exactly `args`. */
export function ticket(wire, args, rest) {
  return one("create_ticket", wire, args, { files: { [`tickets/${args.key}.json`]: json(args) }, ...rest });
}
