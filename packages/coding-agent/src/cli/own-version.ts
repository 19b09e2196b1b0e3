// The version of this package, as its manifest says; the build writes it into the bundle. Never read from the disk at run time.
import manifest from "../../package.json" with { type: "json" };

export const OWN_VERSION: string = manifest.version;
