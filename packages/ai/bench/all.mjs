// Prints every measurement of this package: npm run bench. Ratios come from one run each; times are for dated notes only.

import { cleanPathRatiosApart, heapGrowth, sizeRatio } from "./clean-path.mjs";
import { errorGrowth, repairCost } from "./repair-cost.mjs";

const rows = ["read", "bash", "edit"].flatMap((name) =>
  ["plain", "hinted"].map((kind) => ({ name, kind, ...rounded(cleanPathRatiosApart(name, kind)) })),
);
console.table(rows);
console.log("200 kB write over a small one", sizeRatio().toFixed(3));
console.log("heap growth over 1,000,000 clean calls (bytes)", heapGrowth());
console.log("repair and bounce", rounded(repairCost()));
console.log("1,000 errors over 100", errorGrowth().toFixed(2));

function rounded(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
