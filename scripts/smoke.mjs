// npm run smoke: the packages as they would be published, in places that know nothing of this repository. Packs them, installs
// the pi package into a temporary pi, and imports every public subpath in a temporary project. Needs the npm registry.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkConsumer } from "./smoke/consumer.mjs";
import { packAll } from "./smoke/pack.mjs";
import { checkPiPackage } from "./smoke/pi-package.mjs";

const folder = mkdtempSync(join(tmpdir(), "pi-mend-smoke-"));
try {
  mkdirSync(join(folder, "tarballs"));
  const packed = packAll(join(folder, "tarballs"));
  console.log(`packed ${packed.map(({ name }) => name).join(", ")}`);
  await checkPiPackage(
    join(folder, "home"),
    packed.find(({ manifest }) => manifest.pi !== undefined),
  );
  console.log("pi installs, lists, uses and removes the package");
  const count = checkConsumer(join(folder, "consumer"), packed);
  console.log(`${count} public subpaths pass tsc --strict and import`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
