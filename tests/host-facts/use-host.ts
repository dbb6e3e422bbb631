// One host for all facts of a file, and a notebook of the file's own where they need one.
import { afterAll, beforeAll } from "vitest";
import { Api, createScratch, type HostUnderTest, openHost, removeScratch } from "./host.ts";

export interface FactsOptions {
  /** Starts the host with this access code, where it is started here. */
  accessAuthCode?: string;
  /** True for facts that the host under test cannot have: nothing is opened. */
  skipped?: boolean;
}

/**
 * Usable from the first `beforeAll` on that stands behind the call.
 *
 * @param useScratch is told the id of a notebook that is made before the facts and removed after them
 */
export function useHost(
  useScratch?: (notebook: string) => void,
  { accessAuthCode, skipped = false }: FactsOptions = {},
): { readonly api: Api; readonly host: HostUnderTest } {
  const host: HostUnderTest = { apiUrl: "", token: "", workspace: undefined, stop: async () => undefined };
  const api = new Api(host);
  let notebook: string | undefined;
  beforeAll(async () => {
    if (skipped) return;
    Object.assign(host, await openHost(accessAuthCode));
    if (!useScratch) return;
    notebook = await createScratch(api);
    useScratch(notebook);
  }, 30_000);
  afterAll(async () => {
    if (notebook !== undefined) await removeScratch(api, notebook);
    await host.stop();
  }, 30_000);
  return { api, host };
}
