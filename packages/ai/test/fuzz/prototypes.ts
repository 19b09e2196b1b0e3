// Watches the prototypes that a hostile key could write to. Runs after every case; never repairs what it finds.

const PROTOTYPES = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Function.prototype,
  Map.prototype,
];
const keys = () => PROTOTYPES.map((one) => Reflect.ownKeys(one).length).join();
const AT_START = keys();

/** Whether a prototype has gained or lost a key since this file was loaded. */
export function isPrototypeTouched(): boolean {
  return keys() !== AT_START;
}

/** Freezes a JSON value all the way down, so that a write to it throws. Returns the same value. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
