// Names and paths that every runtime shares: the plugin id, its routes on SiYuan's port, its folders.

export const pluginName = "siyuan-plugins-mcp-sisyphus";
export const pluginTitle = "Sisyphus";

/** Path prefix of every route the plugin serves on SiYuan's port. */
export const routeBase = `/plugin/private/${pluginName}`;

/** `listen` begins with "list", which exempts the path from the host's same-path lock. */
export const routes = {
  mcp: "/mcp",
  listen: "/mcp/listen",
  health: "/health",
  /** Exempt from the lock ("get…"): used to probe the lock and to learn whether the kernel process is the same. */
  probe: "/get-probe",
  lockedProbe: "/probe",
} as const;

/** Kept in the plugins' HTTP client, whose cookies live as long as the kernel process. */
export const processCookie = "sisyphus-process";
export const processMarkPattern = /^[0-9a-f]{16,64}$/;

/** Device-local, durable, never synchronised. */
export const deviceFolder = `/temp/${pluginName}`;
/** Synchronised with the workspace. */
export const storageFolder = `/data/storage/petal/${pluginName}`;

/** Name of the SiYuan secret that may hold the API token. */
export const tokenSecret = "SISYPHUS_SIYUAN_TOKEN";

/** A SiYuan id: 14 digits, a dash, seven lower-case alphanumerics. */
export const idPattern = /^\d{14}-[0-9a-z]{7}$/;

/** True for a well-formed SiYuan id. */
export function isId(value: string): boolean {
  return idPattern.test(value);
}
