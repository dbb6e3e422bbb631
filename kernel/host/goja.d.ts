// The globals that SiYuan's goja engine really has, beyond ECMAScript. What is not declared here does not exist there.

interface HostData {
  text(): Promise<string>;
}
interface HostFetchResponse extends HostData {
  readonly ok: boolean;
  readonly status: number;
}
interface HostHttpRequest {
  readonly url: { readonly host: string; readonly query: Readonly<Record<string, readonly string[]>> | null };
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly cookies?: Readonly<Record<string, readonly string[]>> | null;
    readonly contentLength: number;
    readonly body: { readonly data: HostData | null } | null;
  };
  readonly context: { readonly path: string };
  readonly port?: HostEventPort | null;
}
interface HostEventPort {
  send(event: { data: string; event?: string; retry?: number }): void;
  close(): void;
  onclose: (() => void) | null;
}
interface HostHttpResponse {
  statusCode: number;
  headers: Record<string, string[]>;
  body?: { raw: { contentType: string; data: string } };
}
type HostHook = () => Promise<void> | undefined;
declare const siyuan: {
  readonly plugin: {
    readonly name: string;
    readonly version: string;
    readonly lifecycle: { onload: HostHook | null; onrunning: HostHook | null; onunload: HostHook | null };
  };
  readonly event: {
    handler: ((event: { readonly id: unknown; readonly type: unknown }) => void) | null;
  };
  readonly logger: { info(message: string): void; warn(message: string): void };
  readonly client: {
    fetch(
      path: string,
      init?: { method?: string; headers?: Record<string, string>; body?: string },
    ): Promise<HostFetchResponse>;
  };
  readonly server: {
    readonly private: {
      readonly http: { handler: ((request: HostHttpRequest) => Promise<HostHttpResponse>) | null };
      readonly es: { handler: ((request: HostHttpRequest) => object) | null };
    };
  };
  readonly secrets: { resolve(template: string): string };
};
interface HostTimer {
  readonly hostTimer: true;
}
declare function setTimeout(task: () => void, ms: number): HostTimer;
declare function clearTimeout(timer: HostTimer | null): void;
declare const Buffer: {
  from(
    text: string,
    encoding: "utf8" | "base64" | "hex",
  ): Uint8Array & { toString(encoding: "base64" | "hex"): string };
  concat(list: readonly Uint8Array[]): Uint8Array & { toString(encoding: "base64" | "hex"): string };
};
