// Ids over a session of the real pi that goes on with another model: what one backend gave out, another takes.
import { expect, it } from "vitest";
import { anthropicEncoder } from "../../ai/test/support/encoders/anthropic.ts";
import { openaiCompletionsEncoder } from "../../ai/test/support/encoders/openai-completions.ts";
import { apiSession } from "./text-calls/support/api-session.ts";

it("are legal and one a call where the next model's backend would take two of them for one", async () => {
  const at = await apiSession({ "list.txt": "one\n" });
  const ids = ["call:a", "call_a", "call.a"];
  const rawArguments = JSON.stringify({ path: "list.txt" });
  const calls = ids.map((id) => ({ id, name: "read", rawArguments }));
  await at.run("native", openaiCompletionsEncoder, [openaiCompletionsEncoder.encode(calls, { finish: "toolUse" })]);
  const { bodies, stdout } = await at.run("native", anthropicEncoder, []);
  await at.close();
  expect(stdout).toContain("Finished.");
  const used = [...(bodies[0] as string).matchAll(/"type":"tool_use","id":"([^"]*)"/g)].map(([, id]) => id);
  const answered = [...(bodies[0] as string).matchAll(/"tool_use_id":"([^"]*)"/g)].map(([, id]) => id);
  expect(used).toHaveLength(3);
  expect(new Set(used).size).toBe(3);
  expect(answered).toEqual(used);
  expect(used.filter((id) => !/^[\w-]{1,64}$/.test(id as string))).toEqual([]);
  for (const id of ids) expect(at.stored()).toContain(`"id":"${id}"`);
});
