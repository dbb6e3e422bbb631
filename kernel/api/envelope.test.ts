// SiYuan's refusals: the one of a read-only kernel, and those of single routes that look almost like it.

import { expect, it } from "vitest";
import type { SisyphusError } from "../../shared/errors.js";
import { parseEnvelope } from "./envelope.js";

const reply = (body: object) => ({ status: 200, text: JSON.stringify(body) });

it("knows the refusal of a read-only kernel in any language", () => {
  const frame = { cmd: "", reqId: 0, app: "", sid: "", pushMode: 0, callback: "" };
  const refused = () => parseEnvelope("/api/x", reply({ ...frame, code: -1, msg: "x", data: { closeTimeout: 5000 } }));
  expect(refused).toThrow(expect.objectContaining({ code: "read_only" }) as SisyphusError);
});

it("takes a route's own refusal with the same close time for what it is", () => {
  const body = { code: -1, msg: "block not found", data: { closeTimeout: 5000 } };
  expect(parseEnvelope("/api/filetree/heading2Doc", reply(body))).toMatchObject({ code: -1, msg: "block not found" });
});
