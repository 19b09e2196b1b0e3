// Text mode over every API, read from the bodies that the real SDKs send: a native model, one in text, and a native one again
// carry on one session. Each sees the whole history in its own form.
import { afterEach, expect, it } from "vitest";
import type { ProviderEncoder } from "../../../ai/test/support/encoders/encoder.ts";
import { ENCODERS } from "../../../ai/test/support/encoders/index.ts";
import { apiSession } from "./support/api-session.ts";

/** What any API calls a declared tool, a call or a result. */
const NATIVE =
  /"(?:tools|toolConfig|tool_calls|toolUse|toolResult|functionCall|functionResponse|functionDeclarations)":|"type":"(?:tool_use|tool_result|function_call|function_call_output)"/;

const CALLS = {
  edit: '<pi:call name="edit">{"path": "list.txt", "edits": [{"oldText": "two", "newText": "zwei"}]}</pi:call>',
  bash: '<pi:call name="bash">{"command": "cat list.txt"}</pi:call>',
};

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function session() {
  const made = await apiSession({ "list.txt": "one\ntwo\n" });
  close = made.close;
  return made;
}

function nativeRead(encoder: ProviderEncoder): Uint8Array {
  const rawArguments = JSON.stringify({ path: "list.txt" });
  return encoder.encode([{ id: "call_abc1", name: "read", rawArguments }], { finish: "toolUse" });
}

/** `text` as it stands inside a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

it.each(ENCODERS.map((encoder) => [encoder.api, encoder] as const))(
  "%s: a native read, an edit and a command in text, and native history again",
  async (_api, encoder) => {
    const at = await session();
    const before = await at.run("native", encoder, [nativeRead(encoder)]);
    expect(before.stdout).toContain("Finished.");
    for (const body of before.bodies) expect(body).toMatch(NATIVE);

    const inText = await at.run("text", encoder, [
      encoder.say(`First the edit.\n${CALLS.edit}`),
      encoder.say(CALLS.bash),
    ]);
    expect(inText.stdout).toContain("Finished.");
    expect(at.file("list.txt")).toBe("one\nzwei\n");
    expect(inText.bodies).toHaveLength(3);
    for (const body of inText.bodies) {
      expect(body).not.toMatch(NATIVE);
      expect(body.split("You call a tool by printing its envelope")).toHaveLength(2);
      expect(body).toContain(inJson('<pi:call name="read">{"path":"list.txt"}</pi:call>'));
      expect(body).toContain(inJson("Result of read, ok:\none\ntwo\n"));
    }
    expect(inText.bodies[2]).toContain("First the edit.");
    expect(inText.bodies[2]).toContain(inJson("Result of bash, ok:\none\nzwei\n"));

    const after = await at.run("native", encoder, []);
    expect(after.bodies).toHaveLength(1);
    expect(after.bodies[0]).toMatch(NATIVE);
    expect(after.bodies[0]).not.toContain("pi:call");
    expect(after.bodies[0]).not.toContain("printing its envelope");
    for (const word of ["list.txt", "zwei", "cat list.txt"]) expect(after.bodies[0]).toContain(word);
    expect(at.stored()).not.toContain("pi:call");
  },
);

it("a session goes on through every API in turn, native and in text", async () => {
  const at = await session();
  for (const [index, encoder] of ENCODERS.entries()) {
    const isText = index % 2 === 1;
    const call = `<pi:call name="bash">{"command": "echo step-${index} >> list.txt"}</pi:call>`;
    const rawArguments = JSON.stringify({ command: `echo step-${index} >> list.txt` });
    const reply = isText
      ? encoder.say(call)
      : encoder.encode([{ id: `call_abc${index}`, name: "bash", rawArguments }], { finish: "toolUse" });
    const { stdout, bodies } = await at.run(isText ? "text" : "native", encoder, [reply]);
    expect(stdout).toContain("Finished.");
    expect(bodies).toHaveLength(2);
    for (let earlier = 0; earlier < index; earlier++) expect(bodies[0]).toContain(`step-${earlier}`);
    if (isText) expect(bodies[1]).not.toMatch(NATIVE);
    else expect(bodies[1]).not.toContain("pi:call");
  }
  expect(at.file("list.txt")).toBe(`one\ntwo\n${ENCODERS.map((_, index) => `step-${index}\n`).join("")}`);
});
