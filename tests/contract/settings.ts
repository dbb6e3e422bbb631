// The owner's settings file for the time of a test file: changed through SiYuan, put back afterwards.

import { afterAll } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import type { Siyuan } from "./siyuan.js";

const settingsFile = `${storageFolder}/mcpToolsConfig`;

export interface OwnerSettings {
  /** Replaces the file; resolves when no cached value is left. */
  set(settings: object): Promise<void>;
}

export function useOwnerSettings(siyuan: Siyuan): OwnerSettings {
  let before: { readonly text: string | undefined } | undefined;
  // Settings are at most one second old.
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 1_100));
  afterAll(async () => {
    if (!before) return;
    if (before.text === undefined) await siyuan.removeFile(settingsFile);
    else await siyuan.writeFile(settingsFile, before.text);
    await settle();
  }, 30_000);
  return {
    async set(settings) {
      before ??= { text: await siyuan.readFile(settingsFile) };
      await siyuan.writeFile(settingsFile, JSON.stringify(settings));
      await settle();
    },
  };
}
