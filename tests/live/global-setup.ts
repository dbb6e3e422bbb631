// With an access code the plugin's own token is dead by now: heal it before the suites that need a working plugin.

import { restartPlugin } from "../contract/faults.js";
import { Siyuan } from "../contract/siyuan.js";

export default async function heal(): Promise<void> {
  if (process.env.SIYUAN_ACCESS_CODE === undefined) return;
  await restartPlugin(
    new Siyuan({
      apiUrl: (process.env.SIYUAN_API_URL ?? "").replace(/\/+$/, ""),
      token: process.env.SIYUAN_TOKEN ?? "",
      mcpUrl: "",
    }),
  );
}
