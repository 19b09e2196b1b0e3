// Which lone markers are debris: those beside something that was taken out, or at an end of the text. One sweep each way.

import type { Range } from "./grammar.ts";
import type { Item } from "./scanner.ts";
import type { Source } from "./source.ts";

/** Markers beside something that was taken out, or at an end of the text. */
export function markerDebris(
  source: Source,
  items: readonly Item[],
  removed: readonly Range[],
  unread: readonly Range[],
): readonly Range[] {
  const markers = items.filter((found) => found.kind === "marker" && !closesUnread(source, found, unread));
  if (markers.length === 0) return [];
  const gone = new Set<Item>();
  const edges = [...removed].sort((a, b) => a.start - b.start);
  sweep(
    markers,
    edges,
    gone,
    (marker, edge) => source.isBlank(edge.end, marker.start),
    0,
    (marker) => source.isBlank(0, marker.start),
  );
  const back = [...markers].reverse();
  const atEnd = (marker: Item) => source.isBlank(marker.end, source.text.length);
  sweep(back, [...edges].reverse(), gone, (marker, edge) => source.isBlank(marker.end, edge.start), 1, atEnd);
  return [...gone];
}

/** A close tag whose own opening tag stays in the text stays with it. */
function closesUnread(source: Source, marker: Range, unread: readonly Range[]): boolean {
  const word = /^<\/([A-Za-z_:]+)>$/.exec(source.text.slice(marker.start, marker.end))?.[1];
  return (
    word !== undefined && unread.some((open) => open.start < marker.start && source.startsWith(`<${word}`, open.start))
  );
}

/** One direction: a marker goes when blanks alone part it from the edge or from the marker that went before. */
function sweep(
  markers: readonly Item[],
  edges: readonly Range[],
  gone: Set<Item>,
  touches: (marker: Range, edge: Range) => boolean,
  direction: 0 | 1,
  atBorder: (marker: Item) => boolean,
): void {
  let edge = 0;
  let previous: Range | undefined;
  for (const marker of markers) {
    const isBefore = (range: Range) => (direction === 0 ? range.end <= marker.start : range.start >= marker.end);
    while (edge < edges.length && isBefore(edges[edge] as Range)) {
      previous = edges[edge];
      edge += 1;
    }
    if (atBorder(marker) || (previous !== undefined && touches(marker, previous))) gone.add(marker);
    if (gone.has(marker)) previous = marker;
  }
}
