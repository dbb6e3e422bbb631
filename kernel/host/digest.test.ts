// SHA-256 through the template route and in JavaScript, and what of it is remembered.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sizeLimits } from "../../shared/limits.js";
import { createDigester } from "./digest.js";
import type { Clock } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
let pauses = 0;
const clock = {
  sleep: async () => {
    pauses++;
  },
} as unknown as Clock;

/** Renders the digests of a template as SiYuan does; `texts` is what it was asked for. */
function setup(works = true) {
  const texts: string[] = [];
  const client = {
    async post(_path: string, body: string) {
      const { template } = JSON.parse(body) as { template: string };
      const digests = Array.from(template.matchAll(/`([^`]*)`/g), ([, encoded]) => {
        const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
        texts.push(text);
        return sha256(text);
      });
      return { status: works ? 200 : 404, text: JSON.stringify({ code: 0, data: digests.join(" ") }) };
    },
  } as unknown as SiyuanFetch;
  return { digester: createDigester(client, clock), texts };
}

describe.each([true, false])("digests, with a template route: %s", (works) => {
  it("are SHA-256 of the UTF-8 bytes, in order", async () => {
    const { digester } = setup(works);
    const texts = ["", "abc", "日记 \u{1f600}", "x".repeat(20_000)];
    expect(await digester.sha256(texts)).toEqual(texts.map(sha256));
    expect(digester.source).toBe(works ? "template-route" : "js");
  });

  it("are right for a mixture of remembered and new texts", async () => {
    const { digester } = setup(works);
    await digester.sha256(["b", "d"]);
    expect(await digester.sha256(["a", "b", "c", "d", "a"])).toEqual(["a", "b", "c", "d", "a"].map(sha256));
  });
});

describe("remembered digests", () => {
  it("are asked for once", async () => {
    const { digester, texts } = setup();
    await digester.sha256(["state", "arguments"]);
    texts.length = 0;
    expect(await digester.sha256(["arguments", "state"])).toEqual([sha256("arguments"), sha256("state")]);
    expect(texts).toEqual([]);
    await digester.sha256(["state "]);
    expect(texts).toEqual(["state "]);
  });

  it("leave when there are too many characters, the oldest first", async () => {
    const { digester, texts } = setup();
    const half = "h".repeat(sizeLimits.maxRememberedDigestChars / 2);
    await digester.sha256(["first"]);
    await digester.sha256([half]);
    await digester.sha256([`${half.slice(1)}i`]);
    texts.length = 0;
    await digester.sha256([half, "first"]);
    expect(texts).toEqual(["first"]);
  });

  it("never hold a text above their limit", async () => {
    const { digester, texts } = setup();
    const large = "l".repeat(sizeLimits.maxRememberedDigestChars + 1);
    await digester.sha256([large]);
    texts.length = 0;
    await digester.sha256([large]);
    expect(texts).toEqual([large]);
  });
});

describe("long texts", () => {
  const size = sizeLimits.base64SliceChars;
  const long: [string, string][] = [
    ["of one slice", "é".repeat(size)],
    ["of a slice and one character", `${"x".repeat(size)}甲`],
    ["with a pair across the border", `${"x".repeat(size - 1)}\u{1f600}y`],
    ["of pairs across every border", "\u{1f600}".repeat(size + 1)],
    ["of pairs that begin at an odd place", `甲${"\u{1f600}".repeat(size + 1)}`],
    ["of characters of one, two and three bytes", "aé甲".repeat(size)],
  ];
  it.each(long)("%s reach SiYuan whole", async (_name, text) => {
    const { digester } = setup();
    expect(await digester.sha256([text, "other"])).toEqual([text, "other"].map(sha256));
    expect(digester.source).toBe("template-route");
  });

  it("let other calls run while they are prepared, and short ones lose no time", async () => {
    const { digester } = setup();
    pauses = 0;
    await digester.sha256(["short"]);
    expect(pauses).toBe(0);
    await digester.sha256(["x".repeat(10 * size)]);
    expect(pauses).toBe(10);
  });
});
