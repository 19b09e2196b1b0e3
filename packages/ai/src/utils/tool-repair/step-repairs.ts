// Repairs that are made around the table, before a call's arguments are checked: the names are public like those of the table,
// and never renamed. Data: what the model did, and what it does better next time.

export const STEP_REPAIRS = {
  rawArgumentsRead: {
    wrong: "the arguments were not strict JSON",
    right: "send the arguments as one strict JSON object",
  },
  toolNameResolved: {
    wrong: "the tool name was not exact",
    right: "use the tool names exactly as they are listed",
  },
  leakedCallRecovered: {
    wrong: "the call stood in the text, in a markup of its own",
    right: "make calls only in the way that your tools are declared",
  },
} as const satisfies Readonly<Record<string, { readonly wrong: string; readonly right: string }>>;

export type StepRepairName = keyof typeof STEP_REPAIRS;

/** Whether the name is one of these. */
export function isStepRepair(name: string): name is StepRepairName {
  return Object.hasOwn(STEP_REPAIRS, name);
}

/** The sentence that teaches the repair. */
export function stepNote(name: StepRepairName): string {
  const { wrong, right } = STEP_REPAIRS[name];
  return `${wrong} → ${right}`;
}
