// The repair of a dead token: only when it is dead, once, and its success is looked up, not assumed.

import { describe, expect, it } from "vitest";
import { repairMessage } from "./messages.js";
import { repairToken } from "./token-repair.js";

/** A SiYuan whose health reports the given tokens in turn. */
function siyuan(tokens: string[], enableCode = 0) {
  const enabled: unknown[] = [];
  const request = async (path: string, init?: RequestInit) => {
    if (path.startsWith("/plugin/private/")) return Response.json({ hostToken: tokens.shift() });
    enabled.push(JSON.parse(String(init?.body)));
    return Response.json({ code: enableCode });
  };
  return { request, enabled };
}

describe("repairToken", () => {
  it.each(["plugin", "secret", "unknown"])("leaves a plugin alone whose token is %s", async (token) => {
    const { request, enabled } = siyuan([token]);
    expect(await repairToken(request, "name", "app")).toBe("not-needed");
    expect(enabled).toEqual([]);
  });

  it("enables the plugin again when its token is dead", async () => {
    const { request, enabled } = siyuan(["rejected", "plugin"]);
    expect(await repairToken(request, "name", "app")).toBe("repaired");
    expect(enabled).toEqual([{ packageName: "name", enabled: true, app: "app" }]);
  });

  it("reports a token that stays dead, or a SiYuan that refuses", async () => {
    expect(await repairToken(siyuan(["rejected", "rejected"]).request, "name", "app")).toBe("failed");
    expect(await repairToken(siyuan(["rejected"], -1).request, "name", "app")).toBe("failed");
  });

  it("does nothing where the kernel part does not run", async () => {
    const request = async () => new Response("", { status: 404 });
    expect(await repairToken(request, "name", "app")).toBe("not-needed");
  });
});

it("names the lasting remedy in both languages", () => {
  expect(repairMessage("repaired", "en_US")).toContain("SISYPHUS_SIYUAN_TOKEN");
  expect(repairMessage("failed", "zh_CN")).toMatch(/思源.*SISYPHUS_SIYUAN_TOKEN/);
});
