// Which folder may import which, as one table. "types" allows what leaves no trace at run time.

/** Longest prefix first decides the layer of a file. */
export const layers = [
  "shared/wire",
  "shared/catalogue",
  "shared/surface",
  "shared",
  "kernel/host/stamps.ts",
  "kernel/host/checksum.ts",
  "kernel/host",
  "kernel/api",
  "kernel/config",
  "kernel/safety/contract.ts",
  "kernel/safety",
  "kernel/dispatch",
  "kernel/protocol",
  "kernel/tools",
  "kernel",
  "node-bridge",
  "cli",
  "console",
];

const shared = { shared: "values", "shared/wire": "values", "shared/catalogue": "values", "shared/surface": "values" };
/** The Host is received, never reached for: only its types are imported. */
const host = { "kernel/host": "types", "kernel/host/stamps.ts": "values" };

/** What each layer may import besides itself. Bare names are npm packages. */
export const allowed = {
  shared: { "shared/wire": "values" },
  "shared/wire": { shared: "values" },
  "shared/catalogue": {
    shared: "values",
    "shared/wire": "values",
    "zod/mini": "values",
    "zod/v4/locales/en.js": "values",
  },
  "shared/surface": { shared: "values", "shared/wire": "values", "shared/catalogue": "values" },
  "kernel/host/stamps.ts": {},
  "kernel/host/checksum.ts": {},
  "kernel/host": { ...shared, "kernel/host/stamps.ts": "values", "@noble/hashes": "values" },
  "kernel/api": { ...shared, ...host },
  "kernel/config": { ...shared, ...host },
  "kernel/safety/contract.ts": { ...shared, ...host, "kernel/api": "types", "kernel/config": "types" },
  "kernel/safety": {
    ...shared,
    ...host,
    "kernel/host/checksum.ts": "values",
    "kernel/safety/contract.ts": "values",
    "kernel/api": "types",
    "kernel/config": "types",
    "kernel/dispatch": "types",
  },
  "kernel/dispatch": {
    ...shared,
    ...host,
    "kernel/safety/contract.ts": "types",
    "kernel/safety": "values",
    "kernel/config": "types",
    "p-queue": "values",
  },
  "kernel/protocol": { ...shared, ...host, "kernel/dispatch": "types" },
  "kernel/tools": {
    ...shared,
    ...host,
    "kernel/api": "values",
    "kernel/config": "types",
    // An action answers the contract's questions and knows nothing else about credentials and ledger.
    "kernel/safety/contract.ts": "values",
    diff: "values",
  },
  // The composition root sees every part.
  kernel: {
    ...shared,
    "kernel/host": "values",
    "kernel/api": "values",
    "kernel/config": "values",
    "kernel/safety": "values",
    "kernel/dispatch": "values",
    "kernel/protocol": "values",
    "kernel/tools": "values",
  },
  "node-bridge": { ...shared, npm: "values" },
  cli: { ...shared, "node-bridge": "values", npm: "values" },
  console: { ...shared, siyuan: "values" },
};

/** Layers that run in Node and may use its modules. */
export const nodeLayers = ["node-bridge", "cli"];

export function layerOf(path) {
  const fits = layers.filter((layer) => path === layer || path.startsWith(`${layer}/`));
  return fits.sort((a, b) => b.length - a.length)[0];
}
