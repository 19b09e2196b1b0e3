// What pi-mend's extension relies on in the installed pi: one test a fact, each against the real `pi` binary (the bundle
// users run) talking to a loopback model, or the SDK where a fact is out of the binary's reach. Each name opens with the
// fact's id and closes with what pi-mend may drop or must change on the day the test fails.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { findPackageJSON } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createAgentSession,
  DefaultResourceLoader,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const PACKAGE = dirname(findPackageJSON("@earendil-works/pi-coding-agent", import.meta.url) as string);
const PI = join(PACKAGE, "dist/bundle/cli.js");

/** One answer of the model: a call (name and raw argument text), several, or the text "done". */
type Answer = readonly (readonly [name: string, argumentsText: string])[];
type Message = {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};
type Payload = {
  messages: Message[];
  tools?: { function: { name: string; parameters: object } }[];
  [key: string]: unknown;
};
type Block = { type: string; text?: string; arguments?: object; [key: string]: unknown };
type Entry = { type: string; message: { role: string; content: Block[]; isError?: boolean } };

let root: string;
let server: Server;
let answers: Answer[];
let requests: Payload[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "pi-mend-drift-"));
  for (const name of ["home", "agent", "cwd", "sessions"]) mkdirSync(join(root, name));
  answers = [];
  requests = [];
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      requests.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.end(answerBytes(answers.shift()));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((done) => server.close(done));
  rmSync(root, { recursive: true, force: true });
});

function answerBytes(calls: Answer | undefined): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = calls?.map(([name, text], index) => ({
    index,
    id: `call_${requests.length}_${index}`,
    type: "function",
    function: { name, arguments: text },
  }));
  const delta = tool_calls === undefined ? { content: "done" } : { tool_calls };
  return `${chunk(delta, null)}${chunk({}, calls === undefined ? "stop" : "tool_calls")}data: [DONE]\n\n`;
}

/** Settings, the loopback model and an extension whose factory has this body (`pi`, `log` and `node:fs` in reach). */
function install(body: string, settings: object = {}): string {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const loopback = { baseUrl, api: "openai-completions", apiKey: "k", models: [{ id: "m" }] };
  writeFileSync(join(root, "agent/models.json"), JSON.stringify({ providers: { loopback } }));
  writeFileSync(join(root, "agent/settings.json"), JSON.stringify({ retry: { enabled: false }, ...settings }));
  const path = join(root, "extension.js");
  const imports = [...body.matchAll(/^ *import .*$/gm)].map(([line]) => line.trim());
  writeFileSync(
    path,
    `import * as fs from "node:fs";
    ${imports.join("\n")}
    const log = (entry) => fs.appendFileSync(${JSON.stringify(join(root, "log"))}, JSON.stringify(entry) + "\\n");
    export default function (pi) {\n${body.replace(/^ *import .*$/gm, "")}\n}`,
  );
  return path;
}

const linesOf = <T>(path: string): T[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

const logged = <T = unknown>(): T[] => linesOf<T>(join(root, "log"));

const piEnvironment = () => ({
  HOME: join(root, "home"),
  PI_CODING_AGENT_DIR: join(root, "agent"),
  PI_OFFLINE: "1",
  PI_TELEMETRY: "0",
});

/** Runs `pi -p go` with that extension; returns the session's message entries once pi has exited. */
async function runPi(extension: string): Promise<Entry[]> {
  const flags = ["-p", "--model", "loopback/m", "--session-dir", join(root, "sessions"), "-e", extension, "go"];
  const running = promisify(execFile)(process.execPath, [PI, ...flags], {
    cwd: join(root, "cwd"),
    env: { PATH: process.env["PATH"], ...piEnvironment() },
  });
  running.child.stdin?.end();
  await running;
  return readdirSync(join(root, "sessions")).flatMap((name) =>
    linesOf<Entry>(join(root, "sessions", name)).filter((entry) => entry.type === "message"),
  );
}

const PROBE = `
  pi.registerTool({
    name: "probe", label: "probe", description: "records what it gets",
    parameters: { type: "object", properties: { list: { type: "array", items: { type: "string" } } }, required: ["list"] },
    async execute(id, params) { log({ ran: params }); return { content: [{ type: "text", text: "probe ran" }], details: {} }; },
  });`;

const contentOf = (message: Message | undefined): string =>
  typeof message?.content === "string" ? message.content : JSON.stringify(message?.content ?? "");

const toolResults = (entries: readonly Entry[]) =>
  entries.filter((entry) => entry.message.role === "toolResult").map(({ message }) => message);

describe("F7: message_end", () => {
  const replace = (patch: string) => `${PROBE}
    pi.on("message_end", (event) => {
      if (event.message.role !== "assistant") return;
      const content = event.message.content.map((block) => block.type === "toolCall" ? ${patch} : block);
      return { message: { ...event.message, content } };
    });`;

  test("F7: the replaced message is executed, persisted and replayed, extra block fields persist; else: the pi door must leave message_end", async () => {
    answers = [[["probe", '{"list":{}}']]];
    const extension = install(replace(`{ ...block, arguments: { list: ["fixed"] }, mend: { sent: block.arguments } }`));
    const entries = await runPi(extension);
    expect(logged()).toEqual([{ ran: { list: ["fixed"] } }]);
    const saved = entries.flatMap(({ message }) => message.content).find((block) => block.type === "toolCall");
    expect(saved).toMatchObject({ arguments: { list: ["fixed"] }, mend: { sent: { list: {} } } });
    expect(requests).toHaveLength(2);
    const replayed = requests[1]?.messages.find((message) => message.role === "assistant");
    expect(replayed?.tool_calls?.map((call) => call.function.arguments)).toEqual(['{"list":["fixed"]}']);
    expect(JSON.stringify(requests[1])).not.toContain('"mend"');
  });

  test("F7: argumentsError set there becomes the error result; else: bounces with our text need another door", async () => {
    answers = [[["probe", '{"list":["a"]}']]];
    const entries = await runPi(install(replace(`{ ...block, argumentsError: "the list must be shorter" }`)));
    expect(logged()).toEqual([]);
    expect(toolResults(entries)).toMatchObject([{ isError: true }]);
    expect(contentOf(requests[1]?.messages.at(-1))).toContain("the list must be shorter");
  });

  test("F7: a malformed call whose argumentsError is removed there runs; else: envelope repair is impossible in the pi door", async () => {
    answers = [[["probe", "{list: ['a']}"]]];
    await runPi(
      install(
        replace(
          `(({ argumentsError, ...rest }) => ({ ...rest, arguments: { list: [argumentsError.slice(-13)] } }))(block)`,
        ),
      ),
    );
    expect(logged()).toEqual([{ ran: { list: ["{list: ['a']}"] } }]);
  });

  test("F7: a replaced id and name are used for the result; else: id synthesis and name repair cannot ride on message_end", async () => {
    answers = [[["porbe", '{"list":["a"]}']]];
    await runPi(install(replace(`{ ...block, id: "synth_1", name: "probe" }`)));
    expect(logged()).toEqual([{ ran: { list: ["a"] } }]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "synth_1" });
  });

  test("F7: the unbundled SDK treats the replaced message alike; else: the extension must tell the two apart", async () => {
    answers = [[["probe", '{"list":{}}']]];
    const path = install(replace(`{ ...block, arguments: { list: ["fixed"] } }`));
    const { session } = await sdkSession(path);
    await session.prompt("go");
    session.dispose();
    expect(logged()).toEqual([{ ran: { list: ["fixed"] } }]);
  });
});

/** A session of the unbundled SDK over the same folders, with that extension loaded and bound. */
async function sdkSession(extension: string) {
  for (const [name, value] of Object.entries(piEnvironment())) vi.stubEnv(name, value);
  const cwd = join(root, "cwd");
  const agentDir = join(root, "agent");
  const settingsManager = SettingsManager.create(cwd, agentDir);
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    additionalExtensionPaths: [extension],
  });
  await resourceLoader.reload();
  const sessionManager = SessionManager.create(cwd, join(root, "sessions"));
  const created = await createAgentSession({ cwd, agentDir, settingsManager, resourceLoader, sessionManager });
  await created.session.bindExtensions({});
  return created;
}

describe("F8: the other hooks", () => {
  test("F8: tool_result appends content the next request carries; else: teach notes need another carrier", async () => {
    answers = [[["probe", '{"list":["a"]}']]];
    const note = `pi.on("tool_result", (event) => ({ content: [...event.content, { type: "text", text: "teach note" }] }));`;
    await runPi(install(`${PROBE}${note}`));
    const sent = contentOf(requests[1]?.messages.at(-1));
    expect(sent).toContain("probe ran");
    expect(sent).toContain("teach note");
  });

  test("F8: tool_result does not run for a call that fails validation; else: bounces may be taught in tool_result", async () => {
    answers = [[["probe", '{"list":{}}']]];
    const body = `${PROBE} pi.on("tool_result", () => log("tool_result")); pi.on("tool_execution_end", (event) => log(event.isError));`;
    await runPi(install(body));
    expect(logged()).toEqual([true]);
  });

  test("F8: before_agent_start puts a section into the system prompt; else: learned rules need another way in", async () => {
    const body = `pi.on("before_agent_start", (event) => { event.systemPromptOptions.sections["tool_rules"] = "send raw lists"; });`;
    await runPi(install(body));
    const system = contentOf(requests[0]?.messages[0]);
    expect(requests[0]?.messages[0]?.role).toMatch(/system|developer/);
    expect(system).toMatch(/<tool_rules>\s*send raw lists\s*<\/tool_rules>/);
  });

  test("F8: context_with_system rewrites the request and not the session; else: the text protocol cannot translate the transcript", async () => {
    const body = `
      pi.on("context_with_system", (event) => ({
        messages: event.messages.map((one) => one.role === "user" ? { ...one, content: "rewritten" } : one),
      }));`;
    const entries = await runPi(install(body));
    expect(contentOf(requests[0]?.messages.find((one) => one.role === "user"))).toContain("rewritten");
    expect(JSON.stringify(entries)).not.toContain("rewritten");
  });

  test("F8: before_provider_request replaces the payload; else: schema sanitising needs a provider of its own", async () => {
    const body = `${PROBE} pi.on("before_provider_request", ({ payload }) => ({ ...payload, tools: undefined, drift: 7 }));`;
    await runPi(install(body));
    expect(requests[0]?.["drift"]).toBe(7);
    expect(requests[0]?.tools).toBeUndefined();
  });

  test("F8: registerToolRenderer wraps how a call is drawn; else: repair markers cannot be shown", async () => {
    answers = [[["probe", '{"list":["a"]}']]];
    const body = `
      const draw = (line) => ({ render: () => [line], invalidate() {} });
      pi.registerTool({
        name: "probe", label: "probe", description: "draws itself", parameters: { type: "object", properties: {} },
        renderCall: () => draw("own look"),
        async execute() { return { content: [], details: {} }; },
      });
      pi.registerToolRenderer((name, next) => {
        const own = next();
        return { ...own, renderCall: (...args) => draw(name + " mended: " + own.renderCall(...args).render(80)[0]) };
      });`;
    const { session } = await sdkSession(install(body));
    await session.prompt("go");
    const html = readFileSync(await session.exportToHtml(join(root, "out.html")), "utf8");
    session.dispose();
    const data = /<script id="session-data"[^>]*>([^<]*)</.exec(html)?.[1] ?? "";
    expect(Buffer.from(data, "base64").toString("utf8")).toContain("probe mended: own look");
  });

  test("F8: ctx.modelRegistry.complete runs a side completion outside the session; else: calibration must run pi as a child", async () => {
    const body = `
      pi.on("session_start", async (event, ctx) => {
        const message = await ctx.modelRegistry.complete(ctx.model, { messages: [{ role: "user", content: "calibrate me", timestamp: 1 }] });
        log(message.content);
      });`;
    const entries = await runPi(install(body));
    expect(logged()).toEqual([[{ type: "text", text: "done" }]]);
    expect(requests.map((one) => contentOf(one.messages.at(-1)))).toEqual([
      expect.stringContaining("calibrate me"),
      expect.stringContaining("go"),
    ]);
    expect(JSON.stringify(entries)).not.toContain("calibrate me");
  });
});

describe("F9: calls and tools", () => {
  const NESTED = `
    pi.on("tool_call", (event) => log({ tool_call: event.toolName, input: event.input, nested: event.parentToolCallId !== undefined }));
    pi.on("message_end", (event) => {
      if (event.message.role !== "assistant") return;
      for (const block of event.message.content) if (block.type === "toolCall") log({ message_end: block.name });
    });
    pi.registerTool({
      name: "inner", label: "inner", description: "callable",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      prepareArguments: (args) => { log({ prepare: args }); return args; },
      async execute(id, params) { log({ ran: params }); return { content: [{ type: "text", text: "inner ran" }], details: {} }; },
    });
    pi.registerTool({
      name: "outer", label: "outer", description: "calls inner", parameters: { type: "object", properties: {} },
      async execute(id, params, signal, onUpdate, ctx) {
        const { isError } = await ctx.executeTool("inner", { n: {} });
        log({ isError });
        return (await ctx.executeTool("inner", { n: "7" })).result;
      },
    });`;
  const nestedTrail = [
    { prepare: { n: {} } },
    { prepare: { n: "7" } },
    { tool_call: "inner", input: { n: 7 }, nested: true },
    { ran: { n: 7 } },
  ];

  test("F9b: ctx.executeTool passes prepareArguments, validation and tool_call but not message_end; else: nested calls need no counting apart", async () => {
    answers = [[["outer", "{}"]]];
    await runPi(install(NESTED));
    const [refused, accepted, ...rest] = nestedTrail;
    expect(logged()).toEqual([
      { message_end: "outer" },
      { tool_call: "outer", input: {}, nested: false },
      refused,
      { isError: true },
      accepted,
      ...rest,
    ]);
  });

  test("F9b: codemode scripts take the same way; else: codemode calls may be repaired in message_end", async () => {
    const script = "try { await tools.inner({ n: {} }) } catch {}\nreturn await tools.inner({ n: '7' })";
    answers = [[["codemode", JSON.stringify({ code: script })]]];
    await runPi(install(NESTED, { defaultTools: ["+codemode"] }));
    expect(logged()).toEqual([
      { message_end: "codemode" },
      { tool_call: "codemode", input: { code: script }, nested: false },
      ...nestedTrail,
    ]);
  });

  test("F9c: getAllTools gives name and parameters of built-in, extension and MCP tools; else: repair by schema loses the missing kind", async () => {
    const server = fileURLToPath(new URL("support/mcp-server.cjs", import.meta.url));
    const drift = { command: process.execPath, args: [server], exposure: "direct" };
    writeFileSync(join(root, "agent/mcp.json"), JSON.stringify({ mcpServers: { drift } }));
    const body = `${PROBE} pi.on("message_end", ({ message }) => {
      if (message.role === "assistant") log(pi.getAllTools().map(({ name, parameters }) => [name, parameters]));
    });`;
    await runPi(install(body));
    const tools = new Map(logged<[string, { properties: object }][]>()[0]);
    for (const name of ["read", "bash", "edit", "write", "grep", "find", "ls"]) {
      expect([name, Object.keys(tools.get(name)?.properties ?? {}).length > 0]).toEqual([name, true]);
    }
    expect(tools.get("probe")?.properties).toEqual({ list: { type: "array", items: { type: "string" } } });
    expect(tools.get("mcp__drift__dig")?.properties).toEqual({ deep: { type: "integer" } });
  });

  test("F9c: a bash re-created from its factory loses shellCommandPrefix; else: built-ins may be re-registered with repairing prepareArguments", async () => {
    const settings = { shellCommandPrefix: "export DRIFT=prefixed" };
    const again = `import { createBashToolDefinition } from "@earendil-works/pi-coding-agent";
      pi.registerTool(createBashToolDefinition(process.cwd()));`;
    const outputs: string[] = [];
    for (const body of ["", again]) {
      answers = [[["bash", '{"command":"echo \\"<$DRIFT>\\""}']]];
      requests = [];
      await runPi(install(body, settings));
      outputs.push(contentOf(requests[1]?.messages.at(-1)));
    }
    expect(outputs[0]).toContain("<prefixed>");
    expect(outputs[1]).toContain("<>");
  });

  test("F9c: pi hands settings to the read and bash factories only; else: re-registering edit drops the user's settings too", () => {
    const source = readFileSync(join(PACKAGE, "dist/core/agent-session.js"), "utf8");
    const options = /createAllToolDefinitions\(this\._cwd, \{([\s\S]*?)\n\s*\}\)/.exec(source)?.[1] ?? "";
    expect([...options.matchAll(/^\s*(\w+): \{/gm)].map(([, name]) => name)).toEqual(["read", "bash"]);
  });
});

describe("F10: loading", () => {
  const IMPORTS = `
    import * as agent from "@earendil-works/pi-coding-agent";
    import * as core from "@earendil-works/pi-agent-core";
    import * as ai from "@earendil-works/pi-ai";
    import * as typebox from "typebox";
    import * as sinclair from "@sinclair/typebox";`;

  test("F10: pi maps its own packages and both TypeBox names into an extension that has no node_modules; else: the shipped file must bundle or depend on them", async () => {
    const body = `${IMPORTS}
      log({
        kinds: [agent.createBashToolDefinition, core.runAgentLoop, ai.validateToolArguments, typebox.Type.Object].map((one) => typeof one),
        oneTypeBox: typebox.Type === sinclair.Type,
      });`;
    await runPi(install(body));
    expect(logged()).toEqual([{ kinds: ["function", "function", "function", "function"], oneTypeBox: true }]);
  });

  test("F10: pi does not map pi-schema; else: the shipped file need not bundle it", async () => {
    const body = `pi.on("session_start", async () => {
      for (const name of ["typebox", "@earendil-works/pi-schema"]) {
        log(await import(name).then(() => "mapped", () => "not found"));
      }
    });`;
    await runPi(install(body));
    expect(logged()).toEqual(["mapped", "not found"]);
  });

  test("F10: one compiled ESM file loads, in a package with type module and a pi manifest; else: the package must ship another form", async () => {
    const folder = join(root, "agent/extensions/shipped");
    mkdirSync(folder, { recursive: true });
    const manifest = { name: "shipped", type: "module", pi: { extensions: ["./index.js"] } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const plain = install("");
    const source = readFileSync(install(`log("shipped")`), "utf8");
    writeFileSync(join(folder, "index.js"), `await Promise.resolve();\n${source}`);
    install("");
    await runPi(plain);
    expect(logged()).toEqual(["shipped"]);
  });
});
