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

const undeclared = (value: unknown, place: Place, key: string, content: unknown) =>
  place.kind === "object" ? at(place, value, (one) => ({ ...(one as object), [key]: content })) : undefined;
const isNumberText = (value: unknown) => typeof value === "string" && value !== "" && String(Number(value)) === value;
const python = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${python(key)}: ${python(one)}`)
      .join(", ")}}`;
  if (typeof value !== "string")
    return value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
};

/** Damage that models do more rarely; it may bounce where another reading exists. */
export const RARE_DAMAGES: Readonly<Record<string, Damage>> = {
  "a container as Python in a string": (value, place) =>
    isContainer(place) ? at(place, value, (one) => python(one)) : undefined,
  "a container as fenced JSON in a string": (value, place) =>
    isContainer(place) ? at(place, value, (one) => `\`\`\`json\n${JSON.stringify(one)}\n\`\`\``) : undefined,
  "a text of digits as a number": (value, place) =>
    (place.kind === "scalar" || place.kind === "member") && isNumberText(place.value)
      ? at(place, value, (one) => Number(one))
      : undefined,
  "a boolean as 0 or 1": (value, place) =>
    typeof place.kind === "string" && place.kind === "scalar" && typeof place.value === "boolean"
      ? at(place, value, (one) => (one ? 1 : 0))
      : undefined,
  "an empty text for an absent optional": (value, place) =>
    place.kind === "absent" ? at(place, value, () => "") : undefined,
  "an empty key that nobody declared": (value, place) => undeclared(value, place, "zeta", ""),
  "a null key that nobody declared": (value, place) => undeclared(value, place, "zeta", null),
  "tags around the texts of a list": (value, place) =>
    place.kind === "list" &&
    (place.value as unknown[]).length > 0 &&
    (place.value as unknown[]).every((one) => isPlainText(one) && typeof one === "string")
      ? at(place, value, (one) => (one as string[]).map((item) => `<item>${item}</item>`).join(""))
      : undefined,
  "a pair of numbers as a range": (value, place) => {
    if (place.kind !== "tuple" && place.kind !== "list") return undefined;
    const [from, to, ...more] = place.value as unknown[];
    const isPair = more.length === 0 && Number.isInteger(from) && Number.isInteger(to) && Number(from) >= 0;
    return isPair && Number(from) <= Number(to) ? at(place, value, () => `${from}-${to}`) : undefined;
  },
  "flattened keys of an object": (value, place) => {
    if (place.kind !== "object" || place.path.length === 0 || Object.keys(place.value as object).length === 0)
      return undefined;
    const field = place.path.at(-1);
    // A key that looks like a path has two ways back.
    const isPath = Object.keys(place.value as object).some((key) => /[.[]/.test(key));
    if (typeof field !== "string" || isPath) return undefined;
    return changedAt(value, place.path.slice(0, -1), (holder) => {
      const { [field]: inner, ...rest } = holder as Record<string, unknown>;
      const flat = Object.entries(inner as object).map(([key, one]) => [`${field}.${key}`, one]);
      return { ...rest, ...Object.fromEntries(flat) };
    });
  },
  "a required key in the plural": (value, place) => {
    if (place.kind !== "key") return undefined;
    const name = String(place.path.at(-1));
    const other = name.endsWith("s") ? name.slice(0, -1) : `${name}s`;
    if (place.names.includes(other)) return undefined;
    return changedAt(value, place.path.slice(0, -1), (holder) =>
      Object.fromEntries(Object.entries(holder as object).map(([k, v]) => [k === name ? other : k, v])),
    );
  },
};
