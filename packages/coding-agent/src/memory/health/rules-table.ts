// The learned rules as text: what stands for each model, what was retired and why, what the user removed. Pure.
import type { Health, ModelHealth } from "./health.ts";
import { beforeAfter, day } from "./health-table.ts";

export function rulesTable(health: Health): string {
  const texts = health.models.map(rulesOf).filter((text) => text !== undefined);
  return texts.length === 0 ? "No rules were learned yet." : texts.join("\n\n");
}

const WHY = { silent: "silent for 30 days", "no-effect": "it did not help" } as const;

function rulesOf({ model, rules, retired, forgotten }: ModelHealth): string | undefined {
  const lines = rules.flatMap(({ mode, sentence, since, before, after }) => [
    `  ${mode} (since ${day(since)})`,
    `    ${sentence}`,
    `    ${beforeAfter(before, after)}`,
  ]);
  for (const { mode, at, why } of retired) lines.push(`  ${mode} retired ${day(at)}: ${WHY[why]}`);
  if (forgotten.length > 0) lines.push(`  forgotten: ${forgotten.join(", ")}`);
  return lines.length === 0 ? undefined : [model, ...lines].join("\n");
}
