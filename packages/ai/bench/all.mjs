// Prints every measurement of this package: npm run bench. Ratios come from one run each; times are for dated notes only.

import { cleanPathRatios, heapGrowth, sizeRatio } from "./clean-path.mjs";
import { errorGrowth, repairCost } from "./repair-cost.mjs";

console.table(
  cleanPathRatios().map((row) =>
    Object.fromEntries(Object.entries(row).map(([k, v]) => [k, typeof v === "number" ? Number(v.toFixed(3)) : v])),
  ),
);
console.log("200 kB write over a small one", sizeRatio().toFixed(3));
console.log("heap growth over 1,000,000 clean calls (bytes)", heapGrowth());
console.log("repair and bounce", repairCost());
console.log("1,000 errors over 100", errorGrowth().toFixed(2));
