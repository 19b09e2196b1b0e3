// `/mend calibrate` for whoever drives pi over RPC: what is shown, what is kept, and that the session goes on with it at once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printEnvelope } from "@pi-mend/ai/tool-repair";
import { afterEach, expect, test } from "vitest";
import type { RpcPi } from "../support/rpc-pi.ts";
import { wireText } from "../text-calls/support/leak-run.ts";
import { calibrationHome } from "./support/calibration-run.ts";
import { nativeModel, type PlayedModel, textModel } from "./support/models.ts";

const NAME = "scripted/scripted";
const TEXT = textModel("<pi:call", (name, json) => printEnvelope(name, json));

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function session(model: PlayedModel) {
  const at = calibrationHome();
  writeFileSync(join(at.cwd, "list.txt"), "line of text\n");
  const { server, pi } = await at.rpc(model);
  open.push(server.close, pi.close);
  return { ...at, pi, requests: server.requests };
}

const notice = async (pi: RpcPi, says: RegExp) => {
  const { message } = await pi.event(({ method, message }) => method === "notify" && says.test(String(message)));
  return String(message);
};

test("a text model gets its verdict beside the session, and its next prompt is answered in text mode", async () => {
  const { pi, store, requests } = await session((request) => {
    const last = wireText(request.messages.at(-1));
    if (last.includes("line of text")) return { text: "Read: line of text" };
    if (last.includes("list.txt") && !request.tools?.length)
      return { text: printEnvelope("read", '{"path":"list.txt"}') };
    return TEXT(request);
  });
  await pi.prompt("/mend calibrate");
  expect(await notice(pi, /calls are made in text/)).toContain(NAME);
  expect(store().protocol(NAME)).toMatchObject({ verdict: "text:pi-call", cost: { requests: 6 } });
  expect(requests).toHaveLength(6);
  // The trials are no part of the session.
  expect(pi.events.filter(({ type }) => type === "message_end" || type === "agent_start")).toEqual([]);
  // While it runs, whoever drives pi sees what it does.
  expect(
    pi.events.some(({ method, statusText }) => method === "setStatus" && /native task/.test(String(statusText))),
  ).toBe(true);

  await pi.prompt("Read list.txt.");
  await pi.event(({ type }) => type === "agent_end");
  expect(requests).toHaveLength(8);
  expect(requests.slice(6).map(({ tools }) => tools ?? [])).toEqual([[], []]);
  const ends = JSON.stringify(pi.events.filter(({ type }) => type === "message_end"));
  expect(ends).toContain("Read: line of text");
  expect(ends).not.toContain("<pi:call");
});

test("a native model keeps its tools; no answer in time leaves no verdict and says so", async () => {
  const native = await session(nativeModel());
  await native.pi.prompt("/mend calibrate");
  expect(await notice(native.pi, /native/)).toContain(NAME);
  expect(native.store().protocol(NAME)?.verdict).toBe("native");

  const silent = await session(() => "hang");
  await silent.pi.prompt("/mend calibrate --timeout 1");
  expect(await notice(silent.pi, /No verdict/)).toContain("no answer within 1 seconds");
  expect(silent.store().protocol(NAME)).toBeUndefined();
});

test("the offer is shown once, and sends nothing", async () => {
  const failing: PlayedModel = ({ messages }) =>
    messages.slice(-6).filter(({ role }) => role === "tool").length < 3
      ? { calls: [{ id: `c${messages.length}`, name: "write", arguments: '{"path":"a.txt"}' }] }
      : { text: "I give up." };
  const { pi, requests, store } = await session(failing);
  const runs = () => pi.events.filter(({ type }) => type === "agent_end").length;
  await pi.prompt("Begin.");
  await notice(pi, /\/mend calibrate/);
  await pi.event(() => runs() === 1);
  expect(requests).toHaveLength(4);
  await pi.prompt("Again.");
  await pi.event(() => runs() === 2);
  expect(requests).toHaveLength(8);
  expect(pi.notices().filter((text) => text.includes("/mend calibrate"))).toHaveLength(1);
  expect(store().protocol(NAME)).toBeUndefined();
});
