// The engine's globals that the plugin's own HTTP client names. The simulation has none of them and calls none.

interface HostFetchResponse {
  readonly status: number;
  text(): Promise<string>;
}
declare const siyuan: {
  readonly client: { fetch(path: string, init?: object): Promise<HostFetchResponse> };
  readonly secrets: { resolve(template: string): string };
};
