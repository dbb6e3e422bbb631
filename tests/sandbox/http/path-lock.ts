// One mutex per decoded URL path, taken before authentication: SiYuan serialises requests to the same route.

const exemptPrefixes = [
  "/stage/",
  "/assets/",
  "/emojis/",
  "/plugins/",
  "/public/",
  "/snippets/",
  "/templates/",
  "/widgets/",
  "/appearance/",
  "/export/",
  "/history/",
  "/api/query/",
  "/api/search/",
  "/api/network/",
  "/api/broadcast/",
  "/api/ai/",
  "/es/",
  "/mcp",
];
const exemptSegment = /^(get|list|search|render|ls)/;

export function isExempt(path: string): boolean {
  if (exemptPrefixes.some((prefix) => path.startsWith(prefix))) return true;
  return exemptSegment.test(path.slice(path.lastIndexOf("/") + 1));
}

export class PathLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Resolves with the release function once the path is free. Exempt paths never wait. */
  async acquire(path: string): Promise<() => void> {
    if (isExempt(path)) return () => {};
    const before = this.#tails.get(path) ?? Promise.resolve();
    let release: () => void = () => {};
    this.#tails.set(
      path,
      new Promise<void>((done) => {
        release = done;
      }),
    );
    await before;
    return release;
  }
}
