// Which model a user means by what they typed. Pure. Never picks one of several.
export type FoundModel =
  | { readonly ok: true; readonly model: string }
  | { readonly ok: false; readonly message: string };

/** @param typed `provider/model`, or the model's id or a part of it where only one fits */
export function findModel(typed: string, models: readonly string[]): FoundModel {
  const tests: readonly ((model: string) => boolean)[] = [
    (model) => model === typed,
    (model) => model.slice(model.indexOf("/") + 1) === typed,
    (model) => model.toLowerCase().includes(typed.toLowerCase()),
  ];
  for (const test of tests) {
    const fits = models.filter(test);
    if (fits.length === 1) return { ok: true, model: fits[0]! };
    if (fits.length > 1) return { ok: false, message: `Several models fit: ${fits.join(", ")}` };
  }
  const known = models.length === 0 ? "none is known yet" : models.join(", ");
  return { ok: false, message: `No such model; known: ${known}` };
}
