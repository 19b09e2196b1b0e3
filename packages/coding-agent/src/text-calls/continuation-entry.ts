// The name under which the session keeps what this package tells the model. Data.

/** The `customType` of what this package tells the model. */
export const CONTINUATION = "pi-mend-text-call";
