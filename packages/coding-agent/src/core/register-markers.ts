// Marks repaired calls on the screen: one dim line with the call, opened together with it. Works from the record on the call's
// block, so that it is there after a reload and in a resumed session. Calls that were not repaired are drawn as ever.

import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext, ToolRenderers } from "@earendil-works/pi-coding-agent";
import type { Settings } from "../settings/resolve-settings.ts";
import { MarkedCall, PlainCall } from "../tui/marked-call.ts";
import { type MendedCall, MendedCalls } from "../tui/mended-calls.ts";
import { StreamedRows } from "../tui/streamed-rows.ts";
import { attempt } from "./attempt.ts";
import { latePartIfLoaded } from "./load-late-part.ts";

export interface MarkerHost {
  /** The settings that hold now. */
  readonly settings: () => Pick<Settings, "markers">;
}

/** To be registered behind the repair step: it reads the messages that the step leaves. */
export function registerMarkers(pi: ExtensionAPI, host: MarkerHost): void {
  // A pi that cannot wrap how calls are drawn goes without markers.
  if (typeof pi.registerToolRenderer !== "function") return;
  const calls = new MendedCalls();
  const rows = new StreamedRows();
  // pi draws a session that it switches to before it says that the session started.
  let early: Map<string, () => void> | undefined = new Map();

  const readBranch = (ctx: ExtensionContext) =>
    attempt(() => {
      calls.clear();
      for (const entry of ctx.sessionManager.getBranch()) if (entry.type === "message") calls.add(entry.message);
      const drawn = early;
      early = undefined;
      for (const [id, redraw] of drawn ?? []) if (calls.get(id) !== undefined) redraw();
    });

  pi.on("session_start", (_event, ctx) => void readBranch(ctx));
  pi.on("session_tree", (_event, ctx) => void readBranch(ctx));
  pi.on("message_start", ({ message }) => {
    if (message.role === "assistant") rows.begin();
  });
  pi.on(
    "message_end",
    ({ message }) =>
      void attempt(() => {
        calls.add(message);
        if (message.role === "assistant") rows.end(callIds(message));
      }),
  );

  const find: FindCall = (id, redraw) => {
    if (redraw !== undefined) early?.set(id, redraw);
    return host.settings().markers ? calls.get(id) : undefined;
  };

  pi.registerToolRenderer((toolName, next) => {
    const own = next();
    const isOurs = own !== undefined || calls.hasTool(toolName) || isNameOfTool(pi, toolName);
    return isOurs ? markedRenderers(own, find, rows) : undefined;
  });
}

/** The call to mark, where there is one and markers are on. */
type FindCall = (id: string, redraw?: () => void) => MendedCall | undefined;

/**
 * The renderers of a tool, with the marker. A repaired call is drawn with the arguments that ran, also where pi still holds
 * those that were streamed.
 *
 * @param own what would draw the calls otherwise
 */
export function markedRenderers(
  own: ToolRenderers | undefined,
  find: FindCall,
  rows = new StreamedRows(),
): ToolRenderers {
  const renderCall: ToolRenderers["renderCall"] = (args, theme, context) => {
    if (rows.isAbandoned(context.toolCallId, context.state, context.invalidate)) return NOTHING;
    const call = find(context.toolCallId, context.invalidate);
    const { lastComponent: last, expanded } = context;
    const lastComponent = last instanceof MarkedCall ? last.inner : last;
    if (call === undefined) {
      // pi takes an error for "draw it yourself", which is what it does for tools without a renderer.
      if (own?.renderCall === undefined) throw new Error("not drawn here");
      return own.renderCall(args, theme, lastComponent === last ? context : { ...context, lastComponent });
    }
    const padding = own?.renderShell === "self" ? context.outputPad : 0;
    const look = { theme, expanded, padding };
    const inner =
      own?.renderCall === undefined
        ? new PlainCall(call.tool, call.ran, look)
        : own.renderCall(call.ran, theme, { ...context, args: call.ran, lastComponent });
    return new MarkedCall(inner, call, look, () => find(call.id) !== undefined);
  };
  const renderers: ToolRenderers = { renderCall };
  if (own?.renderShell !== undefined) renderers.renderShell = own.renderShell;
  if (own?.renderResult !== undefined) {
    const drawResult = own.renderResult.bind(own);
    renderers.renderResult = (result, options, theme, context) => {
      const call = find(context.toolCallId, context.invalidate);
      return drawResult(result, options, theme, call === undefined ? context : { ...context, args: call.ran });
    };
  }
  return renderers;
}

/** Draws nothing. */
const NOTHING = { render: () => [], invalidate: () => {} };

/** The ids of the calls that pi goes on with; `undefined` for a message that failed, whose rows stay as they are. */
function callIds({ content, stopReason }: AssistantMessage): ReadonlySet<string> | undefined {
  if (stopReason === "error" || stopReason === "aborted") return undefined;
  return new Set(content.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])));
}

/** Whether a name that no tool has will be read as that of an active tool. */
function isNameOfTool(pi: ExtensionAPI, name: string): boolean {
  // Before the session runs, pi cannot be asked; and names that were repaired then are those of tools.
  const repaired = () => latePartIfLoaded()?.resolveToolName(name, new Set(pi.getActiveTools())).outcome === "repaired";
  return attempt(repaired) ?? false;
}
