// Precedence of address and token, and that a token goes only where it belongs.

import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConnectionFlags, resolveConnection } from "./connection.js";
import { maskToken, readProfiles, writeProfiles } from "./profiles.js";

let folder: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sisyphus-profiles-"));
  config = join(folder, "nested", "config.json");
  writeProfiles({
    path: config,
    currentProfile: "home",
    profiles: {
      home: { apiUrl: "http://127.0.0.1:6806", token: "home-token" },
      work: { apiUrl: "http://10.0.0.5:6806", token: "work-token" },
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const notices: string[] = [];
const resolve = (flags: ConnectionFlags, environment: Record<string, string> = {}) => {
  const { address, token } = resolveConnection({ config, ...flags }, environment, (message) => notices.push(message));
  return [address.display, token];
};
const environment = { SIYUAN_API_URL: "http://127.0.0.1:7000/", SIYUAN_TOKEN: "env-token" };

describe("precedence", () => {
  it("flags, then --profile, then environment, then the active profile, then the default", () => {
    expect(resolve({ url: "http://127.0.0.1:9000", token: "flag-token", profile: "work" }, environment)).toEqual([
      "http://127.0.0.1:9000",
      "flag-token",
    ]);
    expect(resolve({ profile: "work" }, environment)).toEqual(["http://10.0.0.5:6806", "work-token"]);
    expect(resolve({}, environment)).toEqual(["http://127.0.0.1:7000", "env-token"]);
    expect(resolve({})).toEqual(["http://127.0.0.1:6806", "home-token"]);
    expect(resolve({ config: join(folder, "absent.json") })).toEqual(["http://127.0.0.1:6806", undefined]);
  });

  it("a stored token is not sent to another address", () => {
    expect(resolve({ url: "http://10.0.0.9:6806" })).toEqual(["http://10.0.0.9:6806", undefined]);
    expect(resolve({ url: "http://127.0.0.1:6806/" })).toEqual(["http://127.0.0.1:6806", "home-token"]);
    expect(resolve({}, { SIYUAN_API_URL: "http://10.0.0.9:6806" })).toEqual(["http://10.0.0.9:6806", undefined]);
  });

  it("empty variables count as absent", () => {
    expect(resolve({}, { SIYUAN_API_URL: "", SIYUAN_TOKEN: " " })).toEqual(["http://127.0.0.1:6806", "home-token"]);
  });

  it("errors name the source", () => {
    expect(() => resolve({}, { SIYUAN_API_URL: "nonsense", SIYUAN_TOKEN: "t" })).toThrow(/^SIYUAN_API_URL/);
    expect(() => resolve({ profile: "wrk" })).toThrow(/no profile wrk.*did you mean work\?/);
  });
});

describe("profiles file", () => {
  it.skipIf(process.platform === "win32")("only its owner reads it, and a looser mode is told", () => {
    expect(statSync(config).mode & 0o777).toBe(0o600);
    writeFileSync(
      join(folder, "loose.json"),
      JSON.stringify({ currentProfile: "a", profiles: { a: { token: "t" } } }),
      { mode: 0o644 },
    );
    resolve({ config: join(folder, "loose.json") });
    expect(notices.join()).toContain("chmod 600");
  });

  it("the flat form of earlier versions is the profile default", () => {
    writeFileSync(config, JSON.stringify({ apiUrl: "http://127.0.0.1:6900", token: "old" }));
    expect(readProfiles(config)).toMatchObject({ currentProfile: "default", profiles: { default: { token: "old" } } });
    expect(resolve({})).toEqual(["http://127.0.0.1:6900", "old"]);
  });

  it.each(["{broken", "[]", '{"profiles":[]}', '{"profiles":{"a":1}}', '{"profiles":{"a":{"token":1}}}'])(
    "%s is refused, naming the file",
    (text) => {
      writeFileSync(config, text);
      expect(() => readProfiles(config)).toThrow(config);
    },
  );

  it("tokens are masked", () => {
    expect(maskToken("abcdefghijkl")).toBe("****ijkl");
    expect(maskToken("short")).toBe("****");
  });
});
