// A tool call as pi or its tool draws it, with the marker under it. A component by shape alone, so that nothing of pi is
// imported. Drawn again whenever pi draws the call.
import type { Component } from "@earendil-works/pi-tui";
import type { MendedCall } from "./mended-calls.ts";
import { plainLine, plainLines, showable } from "./plain-lines.ts";
import { sentAndRan } from "./sent-and-ran.ts";

/** The colours that a marker uses, of pi's theme. */
export interface MarkerTheme {
  fg(color: "dim" | "muted" | "toolTitle", text: string): string;
  bold(text: string): string;
}

export interface MarkerLook {
  readonly theme: MarkerTheme;
  /** Whether the user opened the call. */
  readonly expanded: boolean;
  /** Columns to keep free on either side, where the tool draws its own frame. */
  readonly padding: number;
}

type MouseEvent = Parameters<NonNullable<Component["handleMouse"]>>[0];

export class MarkedCall {
  readonly inner: Component;
  readonly #call: MendedCall;
  readonly #look: MarkerLook;
  readonly #isShown: () => boolean;
  #marker: { readonly width: number; readonly lines: readonly string[] } | undefined;
  #drawn: { readonly inner: readonly string[]; readonly marker: object; readonly lines: readonly string[] } | undefined;
  #innerHeight = 0;

  /** @param isShown asked at every frame, so that a switch holds for what is on the screen */
  constructor(inner: Component, call: MendedCall, look: MarkerLook, isShown: () => boolean = () => true) {
    this.inner = inner;
    this.#call = call;
    this.#look = look;
    this.#isShown = isShown;
  }

  /** The same array as at the last frame while nothing changed: pi redraws by it. */
  render(width: number): readonly string[] {
    const inner = this.inner.render(width);
    this.#innerHeight = inner.length;
    if (!this.#isShown()) return inner;
    if (this.#marker?.width !== width) this.#marker = { width, lines: markerLines(this.#call, this.#look, width) };
    const marker = this.#marker;
    if (this.#drawn?.inner !== inner || this.#drawn.marker !== marker) {
      this.#drawn = { inner, marker, lines: [...inner, ...marker.lines] };
    }
    return this.#drawn.lines;
  }

  handleMouse(event: MouseEvent): ReturnType<NonNullable<Component["handleMouse"]>> {
    if (event.y >= this.#innerHeight) return undefined;
    return this.inner.handleMouse?.({ ...event, height: this.#innerHeight });
  }

  invalidate(): void {
    this.#marker = undefined;
    this.inner.invalidate();
  }
}

/** The one line, and below it, once the call is opened, what was sent and what ran. None is wider than `width`. */
export function markerLines(call: MendedCall, { theme, expanded, padding }: MarkerLook, width: number): string[] {
  const room = Math.max(2, width - 2 * padding);
  const pad = room + 2 * padding <= width ? " ".repeat(padding) : "";
  const dim = (text: string) => pad + theme.fg("dim", text);
  const title = dim(plainLine(showable(`mended: ${call.names.join(", ")}`), room));
  if (!expanded) return [title];
  const labelled = (label: string, text: string) => {
    const indent = room >= 24 ? "  sent  ".length : 0;
    const lines = plainLines(text, room - indent);
    return lines.map((line, index) => dim((index === 0 ? label : "").padEnd(indent).slice(0, indent) + line));
  };
  const changes = sentAndRan(call).flatMap(({ sent, ran }) => [
    ...labelled("  sent  ", sent),
    ...labelled("  ran   ", ran),
  ]);
  return [title, ...changes];
}

/** A call whose tool draws nothing of its own: the tool's name and the arguments, cut to one line or shown in full. */
export class PlainCall {
  readonly #name: string;
  readonly #args: string;
  readonly #look: MarkerLook;
  #drawn: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(name: string, args: unknown, look: MarkerLook) {
    this.#name = showable(name);
    this.#look = look;
    this.#args = showable(look.expanded ? argumentLines(args) : (JSON.stringify(args) ?? ""));
  }

  render(width: number): readonly string[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#lines(width) };
    return this.#drawn.lines;
  }

  #lines(width: number): readonly string[] {
    const { theme, expanded } = this.#look;
    const title = (text: string) => theme.fg("toolTitle", theme.bold(text));
    const muted = (text: string) => theme.fg("muted", text);
    if (expanded || this.#name.length * 2 + 8 > width) {
      const args = expanded ? plainLines(this.#args, width).map(muted) : [muted(plainLine(this.#args, width))];
      return [title(plainLine(this.#name, width)), ...args];
    }
    return [`${title(this.#name)} ${muted(plainLine(this.#args, width - this.#name.length * 2 - 1))}`];
  }

  invalidate(): void {
    this.#drawn = undefined;
  }
}

function argumentLines(args: unknown): string {
  if (typeof args !== "object" || args === null) return JSON.stringify(args) ?? "";
  return Object.entries(args)
    .map(([key, value]) => `  ${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
