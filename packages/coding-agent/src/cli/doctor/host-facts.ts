// What pi-mend relies on in pi, each with what fails without it, judged by what a probe saw. Data and predicates.
import { PROBE_NOTE, PROBE_REFUSED, PROBE_SECTION } from "./probe-extension.ts";
import type { Probe } from "./probe-pi.ts";

export interface HostFact {
  readonly fact: string;
  /** What does not work where the fact does not hold. */
  readonly without: string;
  readonly holds: (probe: Probe) => boolean;
}

const ran = ({ sighting }: Probe, text: string) =>
  sighting.ran.some((args) => (args as { text?: unknown } | null)?.text === text);
const has = (name: string) => (probe: Probe) => probe.sighting.functions[name] === true;

export const HOST_FACTS: readonly HostFact[] = [
  {
    fact: "a message replaced at its end is the one that is executed",
    without: "no call is repaired",
    holds: (probe) => ran(probe, "replaced"),
  },
  {
    fact: "a call that is refused at a message's end does not run",
    without: "calls that cannot be repaired run all the same",
    holds: (probe) => probe.requests.some((body) => body.includes(PROBE_REFUSED)) && !ran(probe, "refuse"),
  },
  {
    fact: "pi checks arguments as pi-schema does",
    without: "some calls that only their tool can prepare are bounced at once",
    holds: (probe) => ran(probe, "null"),
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
    without: "signed calls are replayed repaired; ids that a backend takes for one stay",
    holds: ({ sighting }) => sighting.context === true,
  },
  {
    fact: "the system prompt of a request can be rewritten",
    without: "models without tool calls cannot make theirs as text",
    holds: ({ sighting }) => sighting.contextWithSystem === true,
  },
  {
    fact: "pi hands its own modules out under their legacy names",
    without: "pi's edit keeps its own preparation of arguments, and /mend has no menu",
    holds: ({ sighting }) => sighting.legacyNames === true,
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
