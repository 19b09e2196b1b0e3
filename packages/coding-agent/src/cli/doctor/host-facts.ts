// What pi-mend relies on in pi, each with what fails without it, judged by what a probe saw. Data and predicates.
import { PROBE_NOTE, PROBE_SECTION } from "./probe-extension.ts";
import type { Probe } from "./probe-pi.ts";

export interface HostFact {
  readonly fact: string;
  /** What does not work where the fact does not hold. */
  readonly without: string;
  readonly holds: (probe: Probe) => boolean;
}

const has = (name: string) => (probe: Probe) => probe.sighting.functions[name] === true;

export const HOST_FACTS: readonly HostFact[] = [
  {
    fact: "a message replaced at its end is the one that is executed",
    without: "no call is repaired",
    holds: ({ sighting }) => (sighting.ran as { text?: unknown } | undefined)?.text === "replaced",
  },
  {
    fact: "arguments that are no JSON come with their text",
    without: "broken JSON is bounced unread",
    holds: ({ sighting }) => sighting.argumentsError?.includes("\n\nReceived arguments:\n") ?? false,
  },
  {
    fact: "a result can be added to",
    without: "models are not told what was repaired",
    holds: ({ requests }) => requests.some((body) => body.includes(PROBE_NOTE)),
  },
  {
    fact: "a section can be added to the system prompt",
    without: "learned rules are not taught",
    holds: ({ requests }) => requests[0]?.includes(`<${PROBE_SECTION}>`) ?? false,
  },
  {
    fact: "the tools and who brought them can be listed",
    without: "no call is repaired",
    holds: (probe) =>
      has("getAllTools")(probe) &&
      probe.sighting.tools.some(({ name, source }) => name === "read" && source === "builtin"),
  },
  {
    fact: "the messages of a request can be rewritten",
    without: "signed calls are replayed repaired",
    holds: ({ sighting }) => sighting.context === true,
  },
  {
    fact: "the drawing of a tool call can be wrapped",
    without: "repaired calls are not marked on the screen",
    holds: has("registerToolRenderer"),
  },
  { fact: "extensions can add commands", without: "/mend is missing", holds: has("registerCommand") },
  {
    fact: "extensions can talk to each other",
    without: "hints of other extensions are not heard",
    holds: has("events.on"),
  },
  {
    fact: "pi says whether a project is trusted",
    without: "settings of projects have no effect",
    holds: has("ctx.isProjectTrusted"),
  },
];

export interface Conflict {
  readonly tool: string;
  readonly source: string;
}

/** Built-in tools that somebody else's extension stands in for. */
export function conflictsIn(tools: Probe["sighting"]["tools"], builtin: ReadonlySet<string>): readonly Conflict[] {
  return (
    tools
      .filter(({ name, source, path }) => builtin.has(name) && source !== "builtin" && !isOurs(source, path))
      // A package is named by where it was installed from, a single file by its path.
      .map(({ name, source, path }) => ({ tool: name, source: source.includes(":") || path === "" ? source : path }))
  );
}

function isOurs(source: string, path: string): boolean {
  return /(?:^|[:/])pi-mend(?:@|\/|$)/.test(source) || /[\\/]pi-mend[\\/]dist[\\/]/.test(path);
}
