// The server side of one event stream: headers only with the first event, a late close, the sixteen swallowed sends.
import type { ServerResponse } from "node:http";

const swallowedSends = 16;

function encoded(text: string, event: string | null, id: string | null, retry: number | null): string {
  let frame = "";
  if (id !== null) frame += `id:${id}\n`;
  if (event !== null) frame += `event:${event}\n`;
  if (retry !== null && retry > 0) frame += `retry:${retry}\n`;
  for (const line of text.replaceAll("\r", "\\r").split("\n")) frame += `data:${line}\n`;
  return `${frame}\n`;
}

export class EventStream {
  #port: object | undefined;
  #closed = false;
  #sendsAfterClose = 0;
  /** Events of the current turn; a close in the same turn loses them. */
  #waiting: string[] = [];

  constructor(
    readonly response: ServerResponse,
    readonly onClosed: (port: object | undefined) => void,
  ) {
    response.once("close", () => this.#end());
  }

  attach(port: object): void {
    this.#port = port;
  }

  get port(): object | undefined {
    return this.#port;
  }

  send(text: string, event: string | null, id: string | null, retry: number | null): void {
    if (this.#closed) {
      this.#sendsAfterClose++;
      // In SiYuan the next call blocks the plugin's only thread for good; here it is an error that cannot be missed.
      if (this.#sendsAfterClose > swallowedSends)
        throw new Error("sandbox: a real host would freeze at this send after close");
      return;
    }
    this.#waiting.push(encoded(text, event, id, retry));
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#closed || this.#waiting.length === 0 || this.response.destroyed) return;
    if (!this.response.headersSent) {
      this.response.writeHead(200, { "Content-Type": "text/event-stream;charset=utf-8", "Cache-Control": "no-cache" });
    }
    this.response.write(this.#waiting.join(""));
    this.#waiting = [];
  }

  close(): void {
    if (this.#closed) return;
    this.#waiting = [];
    this.#end();
    this.response.end();
  }

  /** Appends a failure's text, or answers 500 when nothing was sent yet. */
  fail(text: string): void {
    if (this.response.headersSent) this.response.end(text);
    else {
      this.response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" });
      this.response.end(text);
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onClosed(this.#port);
  }
}
