// The plugins of a workspace: which are enabled, starting, stopping, hot reload, and routing to them.
import { existsSync, type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import type { PluginTokens } from "../http/plugin-token.ts";
import type { Exchange } from "../http/server.ts";
import { readJson, type Workspace, writeFileAtomically } from "../model/workspace.ts";
import { CookieJar } from "./cookie-jar.ts";
import { pluginFetch } from "./plugin-client.ts";
import { type PluginIdentity, PluginRuntime, type PluginState } from "./plugin-runtime.ts";
import { PluginStorage } from "./plugin-storage.ts";

const reloadDelayMs = 20;
const stateCodes: Record<PluginState, number> = { ready: 0, loading: 1, running: 2, stopping: 3, stopped: 4, error: 5 };

interface Petal {
  name: string;
  enabled: boolean;
}

interface Manifest {
  version?: string;
  displayName?: Record<string, string>;
  kernels?: string[];
}

export class PluginHost {
  readonly #runtimes = new Map<string, PluginRuntime>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #turns = new Map<string, Promise<void>>();
  /** When kernel.js of a plugin was read last. */
  readonly #readAt = new Map<string, number>();
  readonly #jar = new CookieJar();
  #port = 0;

  constructor(
    readonly workspace: Workspace,
    readonly tokens: PluginTokens,
    readonly log: (line: string) => void,
  ) {}

  folder(name: string): string {
    return join(this.workspace.folder, "data/plugins", name);
  }

  #petalsFile(): string {
    return join(this.workspace.folder, "data/storage/petal/petals.json");
  }

  #petals(): Petal[] {
    return (readJson<Petal[]>(this.#petalsFile()) ?? []).filter(({ name }) =>
      existsSync(join(this.folder(name), "plugin.json")),
    );
  }

  #saveEnabled(name: string, enabled: boolean): void {
    const others = this.#petals().filter((petal) => petal.name !== name);
    writeFileAtomically(this.#petalsFile(), JSON.stringify([...others, { name, enabled }]));
  }

  /** Marks a plugin as enabled for the next start. */
  enableAtStart(name: string): void {
    this.#saveEnabled(name, true);
  }

  async startAll(port: number): Promise<void> {
    this.#port = port;
    await Promise.all(this.#petals().map(({ name, enabled }) => (enabled ? this.restart(name) : undefined)));
  }

  async stopAll(): Promise<void> {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    await Promise.all([...this.#runtimes.values()].map((runtime) => runtime.stop()));
    this.#runtimes.clear();
  }

  describeAll(): { name: string; state: string; stateCode: number; methods: never[] }[] {
    return [...this.#runtimes.values()].map(({ name, state }) => ({
      name,
      state,
      stateCode: stateCodes[state],
      methods: [],
    }));
  }

  /** Enables (and restarts) or disables a plugin; undefined when its folder has no plugin.json. */
  async setEnabled(name: string, enabled: boolean): Promise<object | undefined> {
    if (!existsSync(join(this.folder(name), "plugin.json"))) return undefined;
    this.#saveEnabled(name, enabled);
    if (enabled) await this.restart(name);
    else await this.#inTurn(name, () => this.#stop(name));
    const kernelFile = join(this.folder(name), "kernel.js");
    const js = existsSync(kernelFile) ? readFileSync(kernelFile, "utf8") : "";
    return { name, enabled, kernel: { js, existed: js !== "", incompatible: false } };
  }

  /** Stops and starts one plugin; restarts of one plugin follow each other. */
  restart(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.#stop(name);
      await this.#start(name);
    });
  }

  #inTurn(name: string, run: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(run);
    this.#turns.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #stop(name: string): Promise<void> {
    await this.#runtimes.get(name)?.stop();
    this.#runtimes.delete(name);
  }

  async #start(name: string): Promise<void> {
    const folder = this.folder(name);
    const manifest = readJson<Manifest>(join(folder, "plugin.json"));
    // Without index.js beside it, or without a fitting "kernels" entry, kernel.js is silently left alone.
    const eligible =
      ["index.js", "kernel.js"].every((file) => existsSync(join(folder, file))) && (manifest?.kernels ?? []).length > 0;
    if (!manifest || !eligible) return;
    const identity: PluginIdentity = {
      name,
      version: manifest.version ?? "",
      displayName: manifest.displayName?.en ?? manifest.displayName?.default ?? name,
      platform: process.platform === "win32" ? "windows" : process.platform,
      i18n: null,
    };
    const token = this.tokens.mint(name);
    this.#readAt.set(name, Date.now());
    const runtime = new PluginRuntime(
      {
        identity,
        storage: new PluginStorage(join(this.workspace.folder, "data/storage/petal", name)),
        fetch: (call, done) => pluginFetch(this.#port, token, this.#jar, call, done),
        resolve: (kind, template) => this.#resolve(kind, template),
        log: (level, text) => this.log(`${level.toUpperCase()} [plugin:${name}] ${text}`),
      },
      readFileSync(join(folder, "kernel.js"), "utf8"),
    );
    this.#runtimes.set(name, runtime);
    this.#watch(name);
    await runtime.start();
  }

  /** A rename over kernel.js restarts the plugin with freshly read files. */
  #watch(name: string): void {
    if (this.#watchers.has(name)) return;
    let pending: NodeJS.Timeout | undefined;
    const watcher = watch(this.folder(name), (_event, file) => {
      if (file !== "kernel.js") return;
      clearTimeout(pending);
      pending = setTimeout(() => {
        const enabled = this.#petals().some((petal) => petal.name === name && petal.enabled);
        if (enabled && !this.#isLoaded(name)) void this.restart(name);
      }, reloadDelayMs);
    });
    watcher.on("error", () => watcher.close());
    this.#watchers.set(name, watcher);
  }

  /** The file was read after its last change: a restart asked for in between has already taken it. */
  #isLoaded(name: string): boolean {
    const file = join(this.folder(name), "kernel.js");
    if (!existsSync(file)) return true;
    const runtime = this.#runtimes.get(name);
    const unchanged = statSync(file).ctimeMs <= (this.#readAt.get(name) ?? 0);
    return unchanged && runtime?.source === readFileSync(file, "utf8");
  }

  #resolve(kind: "secrets" | "vars", template: unknown): string {
    if (typeof template !== "string") return "";
    const { items } = kind === "secrets" ? this.workspace.conf.secrets : this.workspace.conf.variables;
    const namedValue = (name: string) => items.find((item) => item.name === name)?.value;
    const marked = new RegExp(
      `\\{\\{\\s*${kind}\\.([A-Za-z0-9_]+)\\s*\\}\\}|\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}|\\$([A-Za-z_][A-Za-z0-9_]*)`,
      "g",
    );
    return template.replace(
      marked,
      (whole, ...names: (string | undefined)[]) => namedValue(names[0] ?? names[1] ?? names[2] ?? "") ?? whole,
    );
  }

  /** Serves /plugin/private/<name>/…; see PluginRuntime.serve for the answer. */
  async serve(exchange: Exchange): Promise<boolean> {
    const name = exchange.path.split("/")[3] ?? "";
    const runtime = this.#runtimes.get(name);
    const refuse = (status: number, text: string) => {
      exchange.response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
      exchange.response.end(text);
      return false;
    };
    if (!runtime) return refuse(404, `[plugin:${name}] not found`);
    if (runtime.state !== "running") return refuse(503, `[plugin:${name}] is not running`);
    return runtime.serve(exchange);
  }
}
