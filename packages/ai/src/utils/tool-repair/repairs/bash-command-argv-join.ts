import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isShellField } from "../field-hints.ts";

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|)sh$/;
const SCRIPT_FLAG = /^-(?:l?c|cl)$/;
/** Words that a shell reads as more than text: operators, redirections, grouping, alone or glued to a word. */
const OPERATOR = /^(?:\d?(?:>>?|<)|&>|\|&?|&&?|;|[{}()!]$|\s+$)/;
const GLUED = /[;&|]$/;
/** No word of a command line that was split: white space, quotes and brackets stand in a script that a flag takes. */
const SCRIPT = /[\s"'()]/;
const KEYWORDS = new Set("if then elif else fi for select while until do done case esac function [[ ]]".split(" "));
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** An argv list for a shell command, quoted as a shell needs it; the script of `["bash", "-lc", script]`. */
export const bashCommandArgvJoin = {
  name: "bashCommandArgvJoin",
  errorSignature: { expect: ["string"], got: ["array"] },
  transform: (site: FailureSite) => {
    const argv = site.value as readonly unknown[];
    if (argv.length < 2 || !argv.every((word): word is string => typeof word === "string")) return undefined;
    // Other flags change what the script does: those calls are joined as they are.
    if (argv.length === 3 && SHELL.test(argv[0]!) && SCRIPT_FLAG.test(argv[1]!)) return { kind: "set", value: argv[2] };
    // A first word with a space is a list of commands, one with a hash a script's lines; an operator as a word is a
    // command line: two readings each.
    if (/\s|^#/.test(argv[0]!) || argv[0] === "" || KEYWORDS.has(argv[0]!) || argv.some(isOperator)) return undefined;
    return { kind: "set", value: argv.map(shellQuoted).join(" ") };
  },
  guard: isShellField,
  noteTemplate: "`{path}` was an argv list → send one command string",
  docs: {
    sends: '`{"command":["git","commit","-m","two words"]}`',
    becomes: '`{"command":"git commit -m \'two words\'"}`',
    refuses: "lists of commands, lines of scripts, shell operators as words, elements that are no strings",
    seen: "gpt-oss, Codex-trained models",
  },
} as const satisfies RepairEntry;

function isOperator(word: string, at: number, argv: readonly string[]): boolean {
  if (OPERATOR.test(word)) return true;
  return GLUED.test(word) && !(SCRIPT.test(word) && argv[at - 1]?.startsWith("-"));
}

function shellQuoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
