// pi's loader maps the package's legacy name to itself; the registry's package of that name is never installed.
declare module "@mariozechner/pi-coding-agent" {
  export { createEditToolDefinition, VERSION } from "@earendil-works/pi-coding-agent";
}
