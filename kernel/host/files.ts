// Workspace files through SiYuan's file API, for text only, one writer per path.

import { SisyphusError } from "../../shared/errors.js";
import { deviceFolder, storageFolder } from "../../shared/wire/plugin.js";
import type { Files } from "./host.js";
import type { SiyuanFetch } from "./siyuan-fetch.js";

/**
 * Raw file calls delete or kill on odd paths (an empty path removes the data folder; permission denied ends the
 * kernel), so only exact paths inside our own two folders pass.
 */
const ownPath = /^\/[A-Za-z0-9._/-]+$/;

function guard(path: string): string {
  const own = path.startsWith(`${deviceFolder}/`) || path.startsWith(`${storageFolder}/`);
  const clean = path.split("/").every((part, index) => index === 0 || (part !== "" && part !== "." && part !== ".."));
  if (!own || !clean || !ownPath.test(path)) throw new SisyphusError("internal_error", "path outside our own folders");
  return path;
}

/** The one kind of folder that is ever removed: `<our folder>/ledger/<day>`. */
function ledgerDay(path: string): string {
  const day = path.slice(`${deviceFolder}/ledger/`.length);
  if (path !== `${deviceFolder}/ledger/${day}` || !/^\d{8}$/.test(day))
    throw new SisyphusError("internal_error", "not a day of the ledger");
  return guard(path);
}

/** As SiYuan lists a folder; the time in seconds. */
interface FolderEntry {
  readonly name: string;
  readonly updated: number;
}

export function createFiles(client: SiyuanFetch): Files {
  const tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after whatever was asked of the same path before. */
  function ordered<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    const before = tails.get(path);
    const run = before ? before.then(work, work) : work();
    const tail = run.then(noop, noop);
    tails.set(path, tail);
    tail.then(() => {
      if (tails.get(path) === tail) tails.delete(path);
    });
    return run;
  }

  function entriesOf(path: string): Promise<readonly FolderEntry[]> {
    return ordered(guard(path), async () => {
      const reply = await client.post("/api/file/readDir", JSON.stringify({ path }), "application/json");
      const envelope = parse(reply.text);
      if (envelope?.code === 404) return [];
      if (envelope?.code !== 0 || !Array.isArray(envelope.data)) {
        throw new SisyphusError("api_error", `readDir answered ${reply.status}`);
      }
      return envelope.data;
    });
  }

  return {
    read: (path) =>
      ordered(guard(path), async () => {
        const reply = await client.post("/api/file/getFile", JSON.stringify({ path }), "application/json");
        if (reply.status === 200) return reply.text;
        // Failures come as HTTP 202 with an envelope; only "there is no such file" is an absence.
        if (reply.status === 202 && envelopeCode(reply.text) === 404) return undefined;
        throw new SisyphusError("api_error", `getFile answered ${reply.status}`);
      }),
    write: (path, text) =>
      ordered(guard(path), async () => {
        const { body, contentType } = multipart(path, text);
        const reply = await client.post("/api/file/putFile", body, contentType);
        const code = envelopeCode(reply.text);
        if (reply.status !== 200 || code !== 0) {
          throw new SisyphusError("write_ledger_unavailable", `putFile answered ${reply.status}, code ${code}`);
        }
      }),
    removeLedgerDay: (path) =>
      ordered(ledgerDay(path), async () => {
        const reply = await client.post("/api/file/removeFile", JSON.stringify({ path }), "application/json");
        const code = envelopeCode(reply.text);
        if (code !== 0 && code !== 404) throw new SisyphusError("api_error", `removeFile answered ${reply.status}`);
      }),
    list: async (path) => (await entriesOf(path)).map((entry) => entry.name),
    async newest(path, count) {
      const entries = (await entriesOf(path)).slice().sort((one, other) => other.updated - one.updated);
      return entries.slice(0, count).map((entry) => entry.name);
    },
  };
}

function noop(): void {}

function parse(text: string): { code?: number; data?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function envelopeCode(text: string): number | undefined {
  return parse(text)?.code;
}

/** The form that putFile wants. Our texts are JSON, so the boundary cannot occur in them. */
function multipart(path: string, text: string): { body: string; contentType: string } {
  const boundary = "----sisyphus-file-boundary-7d1c2b";
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/json\r\n\r\n${text}\r\n`;
  return {
    body: `${field("path", path)}${field("isDir", "false")}${file}--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
