// A real pi session with the repair step and the markers in it, against a scripted server, and its tool rows as pi's terminal
// draws them: pi's own row components, fed by the session's events.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  type ExtensionAPI,
  initTheme,
  SessionManager,
  ToolExecutionComponent,
} from "@earendil-works/pi-coding-agent";
import { registerMarkers } from "../../../src/core/register-markers.ts";
import { registerRepair } from "../../../src/core/register-repair.ts";
import { toolsNow } from "../../../src/core/tools-now.ts";
import type { ScriptedTurn } from "../../support/door.ts";

const DEMO = new URL("../../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);

export const WIDTH = 100;

export interface MarkedSession {
  /** Every row on the screen, oldest first. */
  readonly rows: readonly ToolExecutionComponent[];
  readonly sessionFile: string;
  /** Sends a prompt and waits until the model is done. */
  prompt(): Promise<void>;
  /** Ends the session and its server. */
  close(): Promise<void>;
}

export interface MarkedSessionOptions {
  readonly home: string;
  readonly turns: readonly ScriptedTurn[];
  /** A session file to resume. */
  readonly resume?: string;
  /** Draws the resumed rows before the extensions hear of the session, as pi does when it switches to one. */
  readonly drawsEarly?: boolean;
  readonly markers?: boolean;
  readonly extension?: (pi: ExtensionAPI) => void;
}

export async function markedSession(options: MarkedSessionOptions): Promise<MarkedSession> {
  const { home, turns, resume, drawsEarly = false, markers = true, extension } = options;
  initTheme("dark");
  const server = await startScriptedServer(turns);
  const agentDir = join(home, "agent");
  const cwd = join(home, "work");
  for (const folder of [agentDir, cwd]) mkdirSync(folder, { recursive: true });
  const model = { id: "scripted", name: "Scripted", contextWindow: 128_000, maxTokens: 8_192 };
  const provider = { baseUrl: server.url, api: "openai-completions", apiKey: "unused", models: [model] };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  const defaults = { defaultProvider: "scripted", defaultModel: "scripted" };
  writeFileSync(join(agentDir, "settings.json"), JSON.stringify(defaults));

  const mend = (pi: ExtensionAPI) => {
    const settings = () => ({ repair: true, teach: true, passthrough: false, markers });
    registerRepair(pi, { tools: toolsNow(pi), settings, sinks: [] } as unknown as Parameters<typeof registerRepair>[1]);
    registerMarkers(pi, { settings });
  };
  const loader = new DefaultResourceLoader({
    ...{ cwd, agentDir, noExtensions: true, noSkills: true, noPromptTemplates: true, noContextFiles: true },
    extensionFactories: extension === undefined ? [mend] : [mend, extension],
  });
  await loader.reload();
  const sessionManager = resume ? SessionManager.open(resume) : SessionManager.create(cwd, join(home, "sessions"));
  const { session } = await createAgentSession({ cwd, agentDir, resourceLoader: loader, sessionManager });

  const rows: ToolExecutionComponent[] = [];
  if (drawsEarly) drawStored(session, cwd, rows);
  await session.bindExtensions({ mode: "tui" });
  if (!drawsEarly) drawStored(session, cwd, rows);
  followEvents(session, cwd, rows);
  return {
    rows,
    sessionFile: session.sessionFile ?? "",
    prompt: () => session.prompt("Begin."),
    close: async () => {
      session.dispose();
      await server.close();
    },
  };
}

/** A row's lines without colours, blanks at the end, and blank lines. */
export function lines(row: ToolExecutionComponent): string[] {
  const drawn = row.render(WIDTH).map((line) => stripVTControlCharacters(line).trimEnd());
  return drawn.filter((line) => line !== "");
}

type Call = Readonly<{ id: string; name: string; arguments: unknown }>;

function row(session: AgentSession, cwd: string, { id, name, arguments: args }: Call): ToolExecutionComponent {
  const renderers = session.extensionRunner.resolveToolRenderers(name, () => session.getToolDefinition(name));
  const screen = { requestRender: () => {} } as ConstructorParameters<typeof ToolExecutionComponent>[5];
  return new ToolExecutionComponent(name, id, args, {}, renderers, screen, cwd);
}

function drawStored(session: AgentSession, cwd: string, rows: ToolExecutionComponent[]): void {
  const waiting = new Map<string, ToolExecutionComponent>();
  for (const message of session.messages) {
    if (message.role === "toolResult") waiting.get(message.toolCallId)?.updateResult(message);
    if (message.role !== "assistant") continue;
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      const made = row(session, cwd, block);
      waiting.set(block.id, made);
      rows.push(made);
    }
  }
}

function followEvents(session: AgentSession, cwd: string, rows: ToolExecutionComponent[]): void {
  const pending = new Map<string, ToolExecutionComponent>();
  const rowOf = (call: Call) => {
    const known = pending.get(call.id);
    if (known !== undefined) return known;
    const made = row(session, cwd, call);
    pending.set(call.id, made);
    rows.push(made);
    return made;
  };
  session.subscribe((event) => {
    if (event.type === "message_update" && event.message.role === "assistant") {
      for (const block of event.message.content) {
        if (block.type === "toolCall") rowOf(block).updateArgs(block.arguments);
      }
    }
    if (event.type === "message_end") for (const made of pending.values()) made.setArgsComplete();
    if (event.type === "tool_execution_start") {
      rowOf({ id: event.toolCallId, name: event.toolName, arguments: event.args }).markExecutionStarted();
    }
    if (event.type === "tool_execution_end") {
      pending.get(event.toolCallId)?.updateResult({ ...event.result, isError: event.isError });
      pending.delete(event.toolCallId);
    }
  });
}
