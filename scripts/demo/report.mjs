// Draws the result of the demo as text of at most 120 columns: two lines per mistake, then the totals. Without color
// unless asked for. It decides nothing: verdicts and totals come in as they were measured.

const WIDTHS = [2, 44, 34, 34];
const GAP = "  ";
const COLUMNS = 120;
const WORDS = { right: "ran right", wrong: "ran wrong", bounced: "bounced" };
const COLORS = { right: 32, wrong: 31, bounced: 33, dim: 2, bold: 1 };

/** @returns {(style: keyof typeof COLORS, text: string) => string} returns the text as it is when `color` is false */
export function painter(color) {
  return (style, text) => (color ? `\u001b[${COLORS[style]}m${text}\u001b[0m` : text);
}

/**
 * @param {readonly import("./chore.mjs").Chore[]} chores
 * @param {readonly { title: string, outcomes: import("./weak-model.mjs").Outcome[] }[]} sides one or two columns
 * @param {ReturnType<typeof painter>} paint
 * @returns {string}
 */
export function table(chores, sides, paint) {
  const heads = ["", "the model sent", ...sides.map((side) => side.title)];
  const lines = [paint("bold", row(heads)), paint("dim", "-".repeat(COLUMNS))];
  for (const [index, chore] of chores.entries()) {
    const outcomes = sides.map((side) => side.outcomes[index]);
    const words = outcomes.map((outcome) => (outcome ? WORDS[outcome.verdict] : "-"));
    const cells = [String(index + 1).padStart(2), chore.kind, ...words].map(fit);
    lines.push(
      cells
        .map((cell, i) => (outcomes[i - 2] ? paint(outcomes[i - 2].verdict, cell) : cell))
        .join(GAP)
        .trimEnd(),
    );
    lines.push(
      paint("dim", row(["", wireOf(chore), ...outcomes.map((outcome) => (outcome ? detailOf(chore, outcome) : ""))])),
    );
  }
  return lines.join("\n");
}

/** The whole answer that a side gave to its first bounced chore, indented; empty when it bounced none. */
export function firstBounce(side) {
  const index = side.outcomes.findIndex((outcome) => outcome.verdict === "bounced");
  if (index < 0) return "";
  const lines = side.outcomes[index].answers[0].split("\n").map((line) => `    ${line}`);
  return [`What ${side.title} told the model in row ${index + 1}:`, ...lines].join("\n");
}

/** @param {readonly [label: string, ...values: (string | number)[]][]} lines one value per side */
export function totals(lines, paint) {
  return lines.map(([label, ...values]) => paint("bold", row(["", label, ...values.map(String)]))).join("\n");
}

function row(cells) {
  return cells.map(fit).join(GAP).trimEnd();
}

function fit(text, column) {
  const width = WIDTHS[column];
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

function wireOf(chore) {
  const { name, arguments: wire } = chore.sent[0];
  const start = chore.at ? wire.indexOf(chore.at) : 0;
  return `${name} ${start > 0 ? "{… " : ""}${oneLine(wire.slice(start))}`;
}

function detailOf(chore, { verdict, answers, changes, matched }) {
  if (verdict === "bounced") return reasonOf(answers[0] ?? "");
  if (verdict === "right") return noteOf(answers.join("\n"));
  if (!matched) return "results that no id tells apart";
  return [...changes]
    .map(([path, text]) => (text === undefined ? `removed ${path}` : wroteOf(chore, path, text)))
    .join(", ");
}

function wroteOf(chore, path, text) {
  if (chore.files?.[path] === undefined) return `wrote a file called "${path}"`;
  if (!path.endsWith(".json")) return `${path} is not as meant`;
  const { key: _key, title: _title, ...fields } = JSON.parse(text);
  return oneLine(JSON.stringify(fields));
}

// What the note under a result says was wrong; the remedy behind the arrow does not fit a cell.
function noteOf(answer) {
  const note = /^\[harness\] (?:\w+: )?(.*)$/m.exec(answer)?.[1] ?? "";
  return note.split(" → ")[0];
}

// The first line of a list, as it says something about one field; else the first line, without its opening words.
function reasonOf(answer) {
  const lines = answer.split("\n").filter((line) => line.trim() !== "");
  const item = lines.find((line) => /^\s*[-*•]\s/.test(line));
  return oneLine(item ? item.replace(/^\s*[-*•]/, "") : (lines[0] ?? "").replace(/^Invalid arguments[^:]*:/, ""));
}

function oneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}
