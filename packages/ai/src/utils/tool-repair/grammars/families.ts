// Every grammar, in the order in which they are asked where they share an opener. A family is added here and nowhere else.

import { CALLING_TOOL } from "./families/calling-tool.ts";
import { ELEMENT_TAGS } from "./families/element-tags.ts";
import { GEMMA_GRAMMARS } from "./families/gemma.ts";
import { HARMONY } from "./families/harmony.ts";
import { JSON_TAG_GRAMMARS } from "./families/json-tag.ts";
import { OPEN_SEP } from "./families/open-sep.ts";
import { OWN_FENCE_GRAMMARS } from "./families/own-fence.ts";
import { PI_CALL } from "./families/pi-call.ts";
import { PYTHON_LIST_GRAMMARS } from "./families/python-list.ts";
import { REASONING_GRAMMARS } from "./families/reasoning.ts";
import { RECIPIENT_LINE } from "./families/recipient-line.ts";
import { TOKEN_CALL_GRAMMARS } from "./families/token-calls.ts";
import { TOOL_CALL_LIST, TOOL_CALL_TAG } from "./families/tool-call-tag.ts";
import { XML_GRAMMARS } from "./families/xml-families.ts";
import type { Grammar } from "./grammar.ts";

export const GRAMMARS: readonly Grammar[] = [
  PI_CALL,
  TOOL_CALL_TAG,
  TOOL_CALL_LIST,
  ...OWN_FENCE_GRAMMARS,
  ...JSON_TAG_GRAMMARS,
  ...XML_GRAMMARS,
  ...TOKEN_CALL_GRAMMARS,
  ...PYTHON_LIST_GRAMMARS,
  HARMONY,
  ...GEMMA_GRAMMARS,
  ELEMENT_TAGS,
  OPEN_SEP,
  RECIPIENT_LINE,
  CALLING_TOOL,
  ...REASONING_GRAMMARS,
];
