// How many requests to SiYuan a call makes. Counted on the sandbox, which is asked the same as a real SiYuan.

import { credentialsOf, type Fields } from "../contract/modern-client.js";
import { countRequests } from "../contract/faults.js";
import { limits } from "./limits.js";
import { type Limit, type Row, row } from "./measure.js";
import type { Scene } from "./scene.js";

export async function* requestRows(scene: Scene): AsyncGenerator<Row> {
  const { client, siyuan, name, notebook, tier } = scene;
  const document = await scene.document("/counted", "first\n\nsecond");
  await scene.document("/counted/below", "x");
  const id = (await siyuan.children(document))[0]?.id ?? "";

  /** Settings that the plugin keeps for a second are asked before, and so not counted. */
  const counted = async (label: string, tool: string, args: Fields, limit?: Limit): Promise<Row> => {
    await client.call("notebook", { action: "list" });
    await countRequests(tier);
    await client.call(tool, args);
    const counts = await countRequests(tier);
    const asked = Object.keys(counts).filter((path) => path.startsWith("/api/"));
    const requests = asked.reduce((sum, path) => sum + (counts[path] ?? 0), 0);
    return row({ name: `requests of ${label}`, unit: "requests", values: [requests], limit });
  };

  const reads: readonly (readonly [string, Fields])[] = [
    ["fs", { action: "read", path: `/${name}/counted` }],
    ["fs", { action: "ls", path: `/${name}/counted` }],
    ["fs", { action: "tree", path: `/${name}/counted` }],
    ["document", { action: "get_doc", id: document }],
    ["document", { action: "list_tree", notebook, path: "/" }],
    ["document", { action: "get_child_docs", id: document }],
    ["block", { action: "get_kramdown", id }],
    ["block", { action: "get_children", id: document }],
  ];
  for (const [tool, args] of reads) {
    yield await counted(`${tool} ${args.action}`, tool, args, limits.requestsOfRead);
  }
  const leaf = { action: "search", path: `/${name}/counted/below`, query: "x" };
  yield await counted("fs search in one document", "fs", leaf);
  const update = { action: "update", id, dataType: "markdown", data: "changed" };
  yield await counted(
    "a preflight of block update",
    "block",
    { ...update, validateOnly: true },
    limits.requestsOfPreflight,
  );
  const credentials = credentialsOf((await client.preflight("block", update)) as never);
  yield await counted("a commit of block update", "block", { ...update, ...credentials }, limits.requestsOfCommit);
}
