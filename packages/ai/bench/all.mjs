// Prints every measurement of this package: npm run bench. Ratios come from one run each; times are for dated notes only.

import { apart } from "./apart.mjs";

const rows = ["read", "bash", "edit"].flatMap((name) =>
  ["plain", "hinted"].map((kind) => ({
    name,
    kind,
    ...rounded(apart("./clean-path.mjs", "cleanPathRatios", name, kind)),
  })),
);
console.table(rows);
console.log("200 kB write over a small one", apart("./clean-path.mjs", "sizeRatio").toFixed(3));
console.log("heap growth over 1,000,000 clean calls (bytes)", apart("./clean-path.mjs", "heapGrowth"));
console.log("repair and bounce", rounded(apart("./repair-cost.mjs", "repairCost")));
console.log("1,000 errors over 100", apart("./repair-cost.mjs", "errorGrowth").toFixed(2));
console.log("reader", apart("./reader.mjs", "readerRatios"));
console.log("stream guard", rounded(apart("./stream-guard.mjs", "streamGuardOverhead")));

function rounded(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
