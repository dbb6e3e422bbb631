// The front-end plugin class that SiYuan loads into its window. It only revives a dead token of the kernel part.

import { Plugin, showMessage } from "siyuan";
import { repairMessage } from "./messages.js";
import { repairToken } from "./token-repair.js";

/** Kept on the page, not in the module: enabling the plugin again may load this module a second time. */
const attempted = Symbol.for("siyuan-plugins-mcp-sisyphus.token-repair-attempted");
const messageMs = 30_000;

// SiYuan takes the class from the module's default export.
export default class Sisyphus extends Plugin {
  override onLayoutReady(): void {
    const page = window as unknown as Record<symbol, boolean | undefined>;
    if (page[attempted]) return;
    page[attempted] = true;
    void this.#repair();
  }

  async #repair(): Promise<void> {
    try {
      const result = await repairToken((path, init) => fetch(path, init), this.name, this.app.appId);
      if (result === "not-needed") return;
      const text = repairMessage(result, document.documentElement.lang);
      showMessage(text, messageMs, result === "failed" ? "error" : "info");
    } catch {
      // SiYuan is going away or starting; the next page load looks again.
    }
  }
}
