// SiYuan's own API for tests: how outcomes are read without the code under test, and how a second writer edits.

import type { Tier } from "./tier.js";

export interface Block {
  readonly id: string;
  readonly type: string;
  readonly markdown: string;
}

export class Siyuan {
  readonly #tier: Tier;

  constructor(tier: Tier) {
    this.#tier = tier;
  }

  async call(path: string, body: object): Promise<{ code: number; msg: string; data: unknown }> {
    const response = await fetch(this.#tier.apiUrl + path, {
      method: "POST",
      headers: { Authorization: `Token ${this.#tier.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return text === "" ? { code: response.status, msg: "empty", data: null } : JSON.parse(text);
  }

  async data<Value>(path: string, body: object): Promise<Value> {
    const { code, msg, data } = await this.call(path, body);
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
    return data as Value;
  }

  children(id: string): Promise<Block[]> {
    return this.data<Block[]>("/api/block/getChildBlocks", { id });
  }

  async kramdown(id: string): Promise<string> {
    return (await this.data<{ kramdown: string }>("/api/block/getBlockKramdown", { id })).kramdown;
  }

  async dom(id: string): Promise<string> {
    return (await this.data<{ dom: string }>("/api/block/getBlockDOM", { id })).dom;
  }

  /** The document as it would be exported: another path than the product's reads. */
  async exported(id: string): Promise<string> {
    return (await this.data<{ content: string }>("/api/export/exportMdContent", { id })).content;
  }

  async update(id: string, markdown: string): Promise<void> {
    await this.data("/api/block/updateBlock", { id, dataType: "markdown", data: markdown });
  }

  async setAttributes(id: string, attrs: Record<string, string>): Promise<void> {
    await this.data("/api/attr/setBlockAttrs", { id, attrs });
  }

  async readFile(path: string): Promise<string | undefined> {
    const response = await fetch(`${this.#tier.apiUrl}/api/file/getFile`, {
      method: "POST",
      headers: { Authorization: `Token ${this.#tier.token}` },
      body: JSON.stringify({ path }),
    });
    return response.status === 200 ? response.text() : undefined;
  }

  async writeFile(path: string, text: string): Promise<void> {
    const form = new FormData();
    form.set("path", path);
    form.set("isDir", "false");
    form.set("file", new Blob([text]), "file");
    const response = await fetch(`${this.#tier.apiUrl}/api/file/putFile`, {
      method: "POST",
      headers: { Authorization: `Token ${this.#tier.token}` },
      body: form,
    });
    const { code } = (await response.json()) as { code: number };
    if (code !== 0) throw new Error(`putFile: ${code}`);
  }

  async removeFile(path: string): Promise<void> {
    await this.call("/api/file/removeFile", { path });
  }
}
