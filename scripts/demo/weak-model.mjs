// The scripted weak model: sends each chore, looks at what came of it, and spends one more turn on the correct call when
// nothing was done. It runs inside the demo's server and judges by the work folder and the tool results of the request
// in hand. It never reads what pi or pi-mend intended.
import { changesBetween, readFolder } from "./work-folder.mjs";

/**
 * @typedef {object} Outcome
 * @property {import("./chore.mjs").Verdict} verdict of the call as first sent
 * @property {boolean} recovered after a bounce: whether the corrected call then ran right
 * @property {string[]} answers the results the model was given, in call order
 * @property {Map<string, string | undefined>} changes files changed by the call as first sent
 * @property {number} turn which of the model's turns sent it first, counted from 0
 * @property {boolean} matched whether every result could be told apart by a call id of its own
 */

/**
 * @param {readonly import("./chore.mjs").Chore[]} chores
 * @param {string} folder the work folder of the run
 * @returns {{ turns: import("./scripted-server.mjs").TurnSource[], outcomes: Outcome[] }} `outcomes` fills up during the
 *   run, one per chore in order; it is shorter than `chores` when pi stopped early
 */
export function weakModel(chores, folder) {
  const outcomes = [];
  let before = new Map();
  let turn = -1;

  const evidence = (chore, body) => {
    const changes = changesBetween(before, readFolder(folder));
    const { answers, matched } = lastResults(body);
    const verdict = judge(chore, changes, answers, matched);
    return { verdict, answers, changes, matched };
  };

  const turns = chores.flatMap((chore, index) => [
    () => {
      before = readFolder(folder);
      turn++;
      return { calls: chore.sent };
    },
    (body) => {
      const first = evidence(chore, body);
      outcomes.push({ ...first, turn, recovered: false });
      if (first.verdict !== "bounced") return undefined;
      before = readFolder(folder);
      turn++;
      return { text: "Let me send that again.", calls: corrected(chore, index) };
    },
    (body) => {
      if (outcomes[index].verdict === "bounced") outcomes[index].recovered = evidence(chore, body).verdict === "right";
      return undefined;
    },
  ]);
  return { turns, outcomes };
}

/** What the calls did, from the files they changed and the results that came back. */
function judge(chore, changes, answers, matched) {
  const wanted = Object.entries(chore.files ?? {});
  const shown =
    answers.length === chore.sent.length && (chore.shows ?? []).every((text, i) => answers[i].includes(text));
  if (changes.size === 0 && (wanted.length > 0 || !shown)) return "bounced";
  const exact =
    changes.size === wanted.length &&
    wanted.every(([path, text]) => changes.has(path) && same(path, changes.get(path), text));
  return exact && shown && matched ? "right" : "wrong";
}

/**
 * Whether a file holds what was meant; `undefined` and `null` both stand for no file. Tickets (`.json`) are compared
 * without regard to the order of their fields.
 */
export function same(path, got, wanted) {
  if (got === undefined || wanted === null) return got === undefined && wanted === null;
  return path.endsWith(".json") ? sortedJson(got) === sortedJson(wanted) : got === wanted;
}

function sortedJson(text) {
  return JSON.stringify(Object.entries(JSON.parse(text)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function lastResults(body) {
  const start = body.messages.findLastIndex((message) => message.role === "assistant");
  const ids = (body.messages[start]?.tool_calls ?? []).map((call) => call.id);
  const results = body.messages.slice(start + 1).filter((message) => message.role === "tool");
  const distinct = new Set(ids).size === ids.length && ids.every(Boolean);
  const matched = distinct && results.every((result, i) => result.tool_call_id === ids[i]);
  return { answers: results.map((result) => textOf(result.content)), matched };
}

function textOf(content) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
}

function corrected(chore, index) {
  return chore.meant.map(([name, args], i) => ({ id: `again_${index}_${i}`, name, arguments: JSON.stringify(args) }));
}
