// Addresses of SiYuan: what is accepted, and what the error names.

import { describe, expect, it } from "vitest";
import { parseApiUrl } from "./address.js";

describe("parseApiUrl", () => {
  it.each([
    ["http://127.0.0.1:6806", "http://127.0.0.1:6806"],
    ["http://127.0.0.1:6806///", "http://127.0.0.1:6806"],
    [" http://localhost:6806/ ", "http://localhost:6806"],
    ["https://127.0.0.1:6806", "http://127.0.0.1:6806"],
    ["https://[::1]:6806/", "http://[::1]:6806"],
    ["https://notes.example.com", "https://notes.example.com:443"],
    ["https://notes.example.com/siyuan/", "https://notes.example.com:443/siyuan"],
  ])("%s", (text, display) => {
    expect(parseApiUrl(text, "SIYUAN_API_URL").display).toBe(display);
  });

  it.each([
    "",
    "127.0.0.1:6806",
    "siyuan",
    "ftp://127.0.0.1",
    "http://user:secret@127.0.0.1:6806",
    "http://127.0.0.1:6806/?token=x",
  ])("%s is refused, naming the variable and no secret", (text) => {
    expect(() => parseApiUrl(text, "SIYUAN_API_URL")).toThrow(/^SIYUAN_API_URL /);
    expect(() => parseApiUrl(text, "SIYUAN_API_URL")).not.toThrow(/secret/);
  });
});
