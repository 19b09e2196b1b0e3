// The table: every failure mode that is repaired or refused by name, in attempt order at one place: envelope and keys
// of an object, then parse, scalar coercions, wrap, unwrap, placeholder, null. The same entry feeds dispatch, note,
// telemetry tag, docs row and learned rule.

import type { RepairEntry } from "./failure-site.ts";
import { absenceWordDrop } from "./repairs/absence-word-drop.ts";
import { aliasRename } from "./repairs/alias-rename.ts";
import { argSpillSplit } from "./repairs/arg-spill-split.ts";
import { bareScalarWrap } from "./repairs/bare-scalar-wrap.ts";
import { bashCommandArgvJoin } from "./repairs/bash-command-argv-join.ts";
import { bashCommandUnwrap } from "./repairs/bash-command-unwrap.ts";
import { boolFromNumber } from "./repairs/bool-from-number.ts";
import { boolFromString } from "./repairs/bool-from-string.ts";
import { emptyObjectPlaceholder } from "./repairs/empty-object-placeholder.ts";
import { emptyRootListRead } from "./repairs/empty-root-list-read.ts";
import { emptyTextDrop } from "./repairs/empty-text-drop.ts";
import { emptyUndeclaredDrop } from "./repairs/empty-undeclared-drop.ts";
import { enumCaseNormalize } from "./repairs/enum-case-normalize.ts";
import { enumListSplit } from "./repairs/enum-list-split.ts";
import { envelopeUnwrap } from "./repairs/envelope-unwrap.ts";
import { flatFieldsFold } from "./repairs/flat-fields-fold.ts";
import { flattenedPathFold } from "./repairs/flattened-path-fold.ts";
import { indexMapRead } from "./repairs/index-map-read.ts";
import { itemTagsRead } from "./repairs/item-tags-read.ts";
import { itemWrapperUnwrap } from "./repairs/item-wrapper-unwrap.ts";
import { jsonStringParse } from "./repairs/json-string-parse.ts";
import { keyDebrisStrip } from "./repairs/key-debris-strip.ts";
import { keyVariantRename } from "./repairs/key-variant-rename.ts";
import { nullOptionalDrop } from "./repairs/null-optional-drop.ts";
import { nullRequiredBounce } from "./repairs/null-required-bounce.ts";
import { nullWordRead } from "./repairs/null-word-read.ts";
import { numberFromString } from "./repairs/number-from-string.ts";
import { numberedPairSplit } from "./repairs/numbered-pair-split.ts";
import { pathDebrisStrip } from "./repairs/path-debris-strip.ts";
import { patternAnchorStrip } from "./repairs/pattern-anchor-strip.ts";
import { pluralVariantRename } from "./repairs/plural-variant-rename.ts";
import { rangePairRead } from "./repairs/range-pair-read.ts";
import { repeatedValueDrop } from "./repairs/repeated-value-drop.ts";
import { rootStringWrap } from "./repairs/root-string-wrap.ts";
import { schemaEchoDrop } from "./repairs/schema-echo-drop.ts";
import { schemaEchoUnwrap } from "./repairs/schema-echo-unwrap.ts";
import { singleElementUnwrap } from "./repairs/single-element-unwrap.ts";
import { singleObjectWrap } from "./repairs/single-object-wrap.ts";
import { stringifiedNumberInArray } from "./repairs/stringified-number-in-array.ts";
import { swallowedParameterSplit } from "./repairs/swallowed-parameter-split.ts";
import { textFromScalar } from "./repairs/text-from-scalar.ts";
import { valueDebrisStrip } from "./repairs/value-debris-strip.ts";
import { wordListRead } from "./repairs/word-list-read.ts";

export const REPAIRS = [
  // the keys of an object
  envelopeUnwrap,
  schemaEchoDrop,
  keyDebrisStrip,
  flattenedPathFold,
  aliasRename,
  keyVariantRename,
  pluralVariantRename,
  flatFieldsFold,
  numberedPairSplit,
  swallowedParameterSplit,
  // keys that nothing declares
  emptyUndeclaredDrop,
  repeatedValueDrop,
  // parse
  jsonStringParse,
  wordListRead,
  itemTagsRead,
  rangePairRead,
  argSpillSplit,
  // scalar coercions
  stringifiedNumberInArray,
  numberFromString,
  boolFromString,
  boolFromNumber,
  enumCaseNormalize,
  textFromScalar,
  nullWordRead,
  pathDebrisStrip,
  patternAnchorStrip,
  valueDebrisStrip,
  // wrap
  schemaEchoUnwrap,
  itemWrapperUnwrap,
  indexMapRead,
  singleObjectWrap,
  enumListSplit,
  absenceWordDrop,
  bareScalarWrap,
  // unwrap
  bashCommandArgvJoin,
  bashCommandUnwrap,
  singleElementUnwrap,
  emptyRootListRead,
  rootStringWrap,
  // placeholder
  emptyTextDrop,
  emptyObjectPlaceholder,
  // null
  nullOptionalDrop,
  nullRequiredBounce,
] as const satisfies readonly RepairEntry[];

/** The public id of an entry. */
export type RepairName = (typeof REPAIRS)[number]["name"];
