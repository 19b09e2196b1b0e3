// Lets the loop report an unknown tool in the words of its bounce. The loop looks a tool up before it looks at a call's
// error, so a tool of that name stands in while the calls of one message are executed. It never runs, is never declared to
// a model, and is gone before the turn ends.
import type { AgentContext } from "@earendil-works/pi-agent-core";
import type { AnyAgentTool } from "./tool-catalog.ts";

type Context = Pick<AgentContext, "tools">;

/** A tool that is only there to be found: its calls carry an error, which the loop reports instead of running it. */
export function standInTool(name: string): AnyAgentTool {
  const refuse = async () => Promise.reject(new Error(`Tool ${name} not found`));
  return { name, label: name, description: "", parameters: { type: "object" }, execute: refuse };
}

/** The stand-ins of the message that is being executed. */
export class StandInTools {
  /** The context that has them. */
  context: Context | undefined;
  #own: AgentContext["tools"];
  /** The context's list with the stand-ins, and how long it was made. */
  #joined: AnyAgentTool[] = [];
  #length = 0;
  #standIns: ReadonlySet<AnyAgentTool> = new Set();

  /** Adds tools of these names to the loop's context, until `leave`. A context that cannot be changed stays as it is. */
  join(context: Context | undefined, names: readonly string[]): void {
    this.leave();
    if (context === undefined || names.length === 0 || Object.isFrozen(context)) return;
    this.context = context;
    this.#own = context.tools;
    this.#standIns = new Set([...new Set(names)].map(standInTool));
    this.#joined = [...(context.tools ?? []), ...this.#standIns];
    this.#length = this.#joined.length;
    context.tools = this.#joined;
  }

  /** Gives the context its own list back, or without stand-ins the one that the host's hooks made of it meanwhile. */
  leave(): void {
    const context = this.context;
    if (context === undefined) return;
    this.context = undefined;
    const { tools } = context;
    const isOurs = tools === this.#joined && tools.length === this.#length;
    if (!isOurs && tools !== undefined) context.tools = tools.filter((tool) => !this.#standIns.has(tool));
    else if (this.#own === undefined) delete context.tools;
    else context.tools = this.#own;
  }
}
