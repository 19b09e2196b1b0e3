// Puts a message guard around an event stream. Runs once per request. Reads and changes events only; no I/O of its own.
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type Model,
  type ToolCall,
} from "@earendil-works/pi-ai";
import type { OpenedCall } from "./call-block.ts";
import type { GuardContext } from "./guard-context.ts";
import { emptyReply, MessageGuard } from "./message-guard.ts";

/** What a guarded stream carries. The functions are the same for all streams: one of its own is compiled anew for each reply. */
const GUARDED = Symbol("guarded");

interface GuardedStream extends AssistantMessageEventStream {
  [GUARDED]?: {
    readonly guard: MessageGuard;
    /** Guards of those who took the stream over since, in that order. */
    further: MessageGuard[] | undefined;
    readonly model: Model<string> | undefined;
    readonly push: AssistantMessageEventStream["push"];
    readonly end: AssistantMessageEventStream["end"];
  };
}

/**
 * A guarded reply that stays. Compiled code rests on the shapes of these objects, and the engine drops a shape with its last
 * object: were all replies collected between two requests, the code of every event would be thrown away with them.
 */
const KEPT: AssistantMessageEventStream[] = [];

/**
 * Guards a stream: ids, names and arguments of its calls are settled, and it always ends with a terminal event.
 *
 * @param model only for the reply of a stream that ended before it began
 * @param opened gets each call as it opens, with its argument pieces as they arrive
 * @returns the same stream when nothing was in it yet: its `push` is guarded from then on, at the cost of a call per
 *   event. A stream that already holds events is forwarded into a new one.
 */
export function guardStream(
  source: AssistantMessageEventStream,
  context: GuardContext,
  model?: Model<string>,
  opened?: OpenedCall[],
): AssistantMessageEventStream {
  const guard = new MessageGuard(context, opened);
  if (!isUntouched(source)) return forward(source, guard, model);
  if (KEPT.length === 0) KEPT.push(keptReply());
  return taken(source, guard, model);
}

/** The smallest reply with a call in it. */
function keptReply(): AssistantMessageEventStream {
  const context = { messages: [], toolNames: new Set([""]), takenIds: new Set<string>() };
  const reply = taken(createAssistantMessageEventStream(), new MessageGuard(context), undefined);
  const partial = emptyReply(undefined, 0);
  const toolCall: ToolCall = { type: "toolCall", id: "1", name: "", arguments: {} };
  partial.content.push(toolCall);
  reply.push({ type: "toolcall_start", contentIndex: 0, partial });
  reply.push({ type: "toolcall_delta", contentIndex: 0, delta: "{}", partial });
  reply.push({ type: "toolcall_end", contentIndex: 0, toolCall, partial });
  reply.push({ type: "done", reason: "toolUse", message: partial });
  return reply;
}

function taken(
  source: AssistantMessageEventStream,
  guard: MessageGuard,
  model: Model<string> | undefined,
): AssistantMessageEventStream {
  const guarded = source as GuardedStream;
  const inner = guarded[GUARDED];
  if (inner !== undefined) {
    // A provider's guarded stream in a guarded loop: one `push` for all guards, or it would call itself without end.
    inner.further = [...(inner.further ?? []), guard];
    return guarded;
  }
  const { push, end } = source;
  guarded[GUARDED] = { guard, further: undefined, model, push, end };
  guarded.push = pushGuarded;
  guarded.end = endGuarded;
  return guarded;
}

function pushGuarded(this: AssistantMessageEventStream, event: AssistantMessageEvent): void {
  const { guard, further, push } = (this as GuardedStream)[GUARDED]!;
  if (guard.finished) return;
  const settled = guard.next(event);
  // `call`, not `bind`: a bound function doubles the cost of an event.
  push.call(this, further === undefined ? settled : nextOf(further, settled));
}

function nextOf(guards: readonly MessageGuard[], event: AssistantMessageEvent): AssistantMessageEvent {
  return guards.reduce((settled, guard) => guard.next(settled), event);
}

function endGuarded(this: AssistantMessageEventStream, result?: AssistantMessage): void {
  const { guard, further = [], model, push, end } = (this as GuardedStream)[GUARDED]!;
  if (!guard.finished && result === undefined) push.call(this, nextOf(further, guard.abandoned(model, Date.now())));
  const isOpen = result !== undefined && !guard.finished;
  end.call(this, isOpen ? [guard, ...further].reduce((settled, each) => each.settle(settled), result) : result);
}

/**
 * Whether no event went in so far. The two fields are private to upstream's class; where they are missing or look
 * otherwise the stream counts as touched, which costs a second queue and nothing else.
 */
function isUntouched(source: AssistantMessageEventStream): boolean {
  const inside = source as unknown as { queue?: { length?: unknown }; done?: unknown };
  return typeof source.push === "function" && inside.done === false && inside.queue?.length === 0;
}

function forward(
  source: AssistantMessageEventStream,
  guard: MessageGuard,
  model: Model<string> | undefined,
): AssistantMessageEventStream {
  const target = createAssistantMessageEventStream();
  void pump(source, guard, target).then(
    (result) => {
      if (!guard.finished && result === undefined) target.push(guard.abandoned(model, Date.now()));
      target.end(result === undefined || guard.finished ? result : guard.settle(result));
    },
    (cause: unknown) => {
      if (!guard.finished) target.push(guard.abandoned(model, Date.now(), cause));
      target.end();
    },
  );
  return target;
}

/** @returns the result of a source that ended without a terminal event, when it has one */
async function pump(
  source: AssistantMessageEventStream,
  guard: MessageGuard,
  target: AssistantMessageEventStream,
): Promise<AssistantMessage | undefined> {
  for await (const event of source) {
    if (!guard.finished) target.push(guard.next(event));
  }
  if (guard.finished) return undefined;
  // A source that gave no result never will: do not wait for it.
  return Promise.race([source.result(), Promise.resolve(undefined)]);
}
