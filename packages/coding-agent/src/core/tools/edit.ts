// OVERRIDE of @earendil-works/pi-coding-agent/src/core/tools/edit.ts
// Replaces: the `prepareArguments` of pi's edit tool, nothing else of it.
// Why: the hook knows three old shapes and changes what it is given; the general repair covers them and the rest, also
//   for calls that other tools make.
// Forwarded: schema, texts, renderers and execution are pi's own definition.
// Drop when: pi's edit has no `prepareArguments` of its own.
//
// An extension entry of its own, tiny, and the first of the package: it also says which pi this is. It asks for pi under its
// legacy name, which only pi's loader knows: under the present one a tree that holds pi would load a second copy of it, and
// elsewhere the whole bundle would be transpiled.
import type { createEditToolDefinition, ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { isSwitchedOff } from "../../settings/switched-off.ts";
import { ifKnown, onlyThroughPiLoader } from "../host-module.ts";
import { shared } from "../shared-state.ts";
import { isSupportedPi } from "../supported-pi.ts";

type EditDefinition = ReturnType<typeof createEditToolDefinition>;

onlyThroughPiLoader();
const host = await ifKnown(() => import("@mariozechner/pi-coding-agent"));

/** Registers pi's edit without its hook, unless pi has no such tool or another extension replaced it. */
export default function piMendEdit(pi: ExtensionAPI): void {
  shared.hostVersion = host?.VERSION;
  const createDefinition = host?.createEditToolDefinition;
  if (isSwitchedOff(process.env) || createDefinition === undefined || !isSupportedPi(host?.VERSION)) return;
  // After every `session_start` handler: an extension that replaces `edit` there comes first.
  pi.on("resources_discover", () => {
    const definition: EditDefinition = createDefinition(process.cwd());
    const current = pi.getAllTools().find((tool) => tool.name === definition.name);
    if (current?.sourceInfo.source !== "builtin") return;
    shared.ownSchemas.add(definition.parameters);
    const prepareArguments = (args: unknown) => shared.mend(definition, args) as { path: string; edits: [] };
    pi.registerTool({ ...definition, prepareArguments });
  });
}
