// The version of the package, built into the self-contained programs.

import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
