// The forms in which a call is printed as text. The primer shows one of them and a history in text is written in it; the
// listener in `text-protocol.ts` reads all of them, whichever was shown. Data and one function; never reads anything.

/** Names of the forms, the canonical one first. They are stored with a model's verdict and never renamed. */
export const ENVELOPE_FORMS = ["pi-call", "tool-call", "fence"] as const;

export type EnvelopeForm = (typeof ENVELOPE_FORMS)[number];

/**
 * A call as a model that was shown `form` prints it.
 *
 * @param json the arguments as JSON text, put in as it is
 */
export function printEnvelope(name: string, json: string, form: EnvelopeForm = "pi-call"): string {
  switch (form) {
    case "pi-call":
      return `<pi:call name="${name}">${json}</pi:call>`;
    case "tool-call":
      return `<tool_call>${namedObject(name, json)}</tool_call>`;
    case "fence":
      return `\`\`\`tool_call\n${namedObject(name, json)}\n\`\`\``;
    default:
      return form satisfies never;
  }
}

/** What `name` is as the name of a form: itself, or `undefined` for one that this version does not know. */
export function envelopeForm(name: string | undefined): EnvelopeForm | undefined {
  return ENVELOPE_FORMS.find((form) => form === name);
}

function namedObject(name: string, json: string): string {
  return `{"name": "${name}", "arguments": ${json}}`;
}
