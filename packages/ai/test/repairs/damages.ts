// Ways to damage one place of a valid value that models really use, each with one way back. Pure data and functions.

import { changedAt, type Place } from "./schema-arbitrary.ts";

/** One way to damage a place that has one way back; undefined where it does not fit the place. */
export type Damage = (value: unknown, place: Place) => unknown;

const at = (place: Place, value: unknown, change: (at: unknown) => unknown) => changedAt(value, place.path, change);
const isContainer = (place: Place) => place.kind === "list" || place.kind === "tuple" || place.kind === "object";
const isScalar = (value: unknown) => typeof value !== "object" || value === null;
const isPlainText = (value: unknown) =>
  typeof value !== "string" || (/^[a-zA-Z]+$/.test(value) && !/^(?:null|none|undefined|true|false)$/i.test(value));

export const DAMAGES: Readonly<Record<string, Damage>> = {
  "a container as a JSON string": (value, place) =>
    isContainer(place) ? at(place, value, (one) => JSON.stringify(one)) : undefined,
  "a container as JSON in a JSON string": (value, place) =>
    isContainer(place) ? at(place, value, (one) => JSON.stringify(JSON.stringify(one))) : undefined,
  "a number or boolean as a string": (value, place) =>
    place.kind === "scalar" && typeof place.value !== "string"
      ? at(place, value, (one) => JSON.stringify(one))
      : undefined,
  "a list of one object as the object": (value, place) =>
    place.kind === "list" &&
    Array.isArray(place.value) &&
    place.value.length === 1 &&
    !isScalar(place.value[0]) &&
    !Array.isArray(place.value[0])
      ? at(place, value, (one) => (one as unknown[])[0])
      : undefined,
  "a list of one scalar as the scalar": (value, place) =>
    place.kind === "list" &&
    Array.isArray(place.value) &&
    place.value.length === 1 &&
    isScalar(place.value[0]) &&
    place.value[0] !== null &&
    isPlainText(place.value[0])
      ? at(place, value, (one) => (one as unknown[])[0])
      : undefined,
  "null for an absent optional": (value, place) => (place.kind === "absent" ? at(place, value, () => null) : undefined),
  "{} for an absent optional": (value, place) =>
    place.kind === "absent" && !place.takesEmpty ? at(place, value, () => ({})) : undefined,
  "a member in other case": (value, place) =>
    place.kind === "member" && typeof place.value === "string"
      ? at(place, value, (one) => String(one).toUpperCase().replaceAll("-", "_"))
      : undefined,
  "a list of one around a scalar": (value, place) =>
    place.kind === "scalar" || place.kind === "member" ? at(place, value, (one) => [one]) : undefined,
  "a list of one around an object": (value, place) =>
    place.kind === "object" ? at(place, value, (one) => [one]) : undefined,
  "an item object around a list": (value, place) =>
    place.kind === "list" ? at(place, value, (one) => ({ item: one })) : undefined,
  "index keys for a list": (value, place) =>
    place.kind === "list" && (place.value as unknown[]).length > 0
      ? at(place, value, (one) => ({ ...(one as unknown[]) }))
      : undefined,
  "a schema around a scalar": (value, place) =>
    place.kind === "scalar"
      ? at(place, value, (one) => ({ type: typeof one === "string" ? "string" : typeof one, value: one }))
      : undefined,
  "a required key in other case": (value, place) => {
    if (place.kind !== "key") return undefined;
    const key = String(place.path.at(-1));
    const other = /[A-Z]/.test(key)
      ? key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
      : key.replace(/^./, (c) => c.toUpperCase());
    return changedAt(value, place.path.slice(0, -1), (holder) =>
      Object.fromEntries(Object.entries(holder as object).map(([k, v]) => [k === key ? other : k, v])),
    );
  },
  "the arguments in an envelope": (value, place) => (place.path.length === 0 ? { arguments: value } : undefined),
  "the arguments under the tool's name": (value, place) => (place.path.length === 0 ? { probeTool: value } : undefined),
};
