// template/renderSprig: pipelines of b64dec, b64enc, sha256sum, randBytes, uuidv4, now and date between plain text.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";

/** Go strings are bytes: values stay buffers until they are printed. */
type Value = Buffer;

const functions: Record<string, (values: Value[]) => Value> = {
  b64dec: ([text]) => Buffer.from(String(text), "base64"),
  b64enc: ([bytes]) => Buffer.from((bytes ?? Buffer.alloc(0)).toString("base64")),
  sha256sum: ([bytes]) =>
    Buffer.from(
      createHash("sha256")
        .update(bytes ?? "")
        .digest("hex"),
    ),
  randBytes: ([count]) => Buffer.from(randomBytes(Number(count)).toString("base64")),
  uuidv4: () => Buffer.from(randomUUID()),
  now: () => Buffer.from(new Date().toISOString()),
  date: ([layout, time]) => Buffer.from(formatted(new Date(String(time)), String(layout))),
};

/** The parts of Go's reference time that path templates use. */
function formatted(time: Date, layout: string): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const parts: Record<string, string> = {
    "2006": String(time.getFullYear()),
    "01": two(time.getMonth() + 1),
    "02": two(time.getDate()),
    "15": two(time.getHours()),
    "04": two(time.getMinutes()),
    "05": two(time.getSeconds()),
  };
  return layout.replace(/2006|0[1245]|15/g, (part) => parts[part] ?? part);
}

function failure(reason: string): Refusal {
  return new Refusal(-1, `Parse template failed: template: :1: ${reason}`);
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|`[^`]*`|\||[^\s|]+/g;

function literal(token: string): Value | undefined {
  if (token.startsWith('"')) return Buffer.from(JSON.parse(token) as string);
  if (token.startsWith("`")) return Buffer.from(token.slice(1, -1));
  if (/^-?\d+$/.test(token)) return Buffer.from(token);
  return undefined;
}

function command(tokens: string[], piped: Value | undefined): Value {
  const [head, ...rest] = tokens;
  if (head === undefined) throw failure("missing value for command");
  const values = rest.map((token) => {
    const value = literal(token);
    if (value === undefined) throw failure(`function &#34;${token}&#34; not defined`);
    return value;
  });
  const value = literal(head);
  if (value !== undefined) return value;
  const run = functions[head];
  if (!run) throw failure(`function &#34;${head}&#34; not defined`);
  return run(piped === undefined ? values : [...values, piped]);
}

function action(source: string): Value {
  let current: Value | undefined;
  let tokens: string[] = [];
  for (const [token] of source.matchAll(tokenPattern)) {
    if (token === "|") {
      current = command(tokens, current);
      tokens = [];
    } else {
      tokens.push(token);
    }
  }
  return command(tokens, current);
}

export function renderTemplate(template: string): string {
  let output = "";
  let rest = template;
  for (;;) {
    const start = rest.indexOf("{{");
    if (start < 0) return output + rest;
    const end = rest.indexOf("}}", start);
    if (end < 0) throw failure("unclosed action");
    output += rest.slice(0, start) + action(rest.slice(start + 2, end)).toString("utf8");
    rest = rest.slice(end + 2);
  }
}

function renderSprig({ arguments: fields }: RouteCall): Envelope {
  return success(renderTemplate(fields.text("template")));
}

export const templateRoutes: RouteTable = { "template/renderSprig": renderSprig };
