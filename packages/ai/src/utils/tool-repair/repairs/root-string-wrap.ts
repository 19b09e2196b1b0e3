import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isBareText, soleTextField } from "../sole-text-field.ts";

/** A bare string as the whole arguments, for the one required text field or the hinted one. */
export const rootStringWrap = {
  name: "rootStringWrap",
  errorSignature: { expect: ["object"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = site.value as string;
    if (site.field !== "" || !isBareText(text)) return undefined;
    const field = soleTextField(site);
    return field === undefined ? undefined : { kind: "set", value: { [field]: text } };
  },
  noteTemplate: "the arguments were a bare string → send an object with the field's name",
  docs: {
    sends: '`"src/a.ts"`',
    becomes: '`{"path":"src/a.ts"}`',
    refuses: "tools with several required fields, text that looks like broken JSON",
    seen: "small local models",
  },
} as const satisfies RepairEntry;
