// What reads cost, against SiYuan's own calls for the same notes.

import { limits } from "./limits.js";
import { compare, plain, type Row } from "./measure.js";
import type { Scene } from "./scene.js";

export async function* readRows(scene: Scene): AsyncGenerator<Row> {
  yield await longDocument(scene);
  yield await tree(scene);
}

async function longDocument({ client, name, rounds, document, settled }: Scene): Promise<Row> {
  const paragraphs = Array.from({ length: 500 }, (_, index) => `paragraph ${index} with some more words in it`);
  const id = await document("/long", paragraphs.join("\n\n"));
  await settled();
  return compare(
    plain("exportMdContent", () => client.data("/api/export/exportMdContent", { id })),
    plain("fs.read of 500 blocks", () => client.call("fs", { action: "read", path: `/${name}/long` })),
    rounds,
    limits.readDocument,
  );
}

/** 300 documents on three levels: 12 with 4 below each, and 5 below each of those. */
const shape = [12, 4, 5] as const;

async function tree({ client, notebook, name, rounds, document, settled }: Scene): Promise<Row> {
  const [top, middle, leaves] = shape;
  await document("/Tree", "x");
  for (const [first] of Array(top).entries()) {
    for (const [second] of Array(middle).entries()) {
      // Missing parents come with the first leaf below them.
      for (const [third] of Array(leaves).entries()) await document(`/Tree/t${first}/m${second}/l${third}`, "x");
    }
  }
  await settled();
  const [root] = await client.data<string[]>("/api/filetree/getIDsByHPath", { notebook, path: "/Tree" });
  return compare(
    plain("listDocsByPath, folder by folder", () => listed(client, notebook, `/${root}.sy`)),
    plain("fs.tree of 300 documents", () => client.call("fs", { action: "tree", path: `/${name}/Tree` })),
    rounds,
    limits.readTree,
  );
}

/** As a careful client does it: the folders of one level side by side, four at a time. */
async function listed(client: Scene["client"], notebook: string, path: string): Promise<void> {
  let level = [path];
  while (level.length > 0) {
    const next: string[] = [];
    for (let start = 0; start < level.length; start += 4) {
      const answers = await Promise.all(
        level.slice(start, start + 4).map((folder) =>
          client.data<{ files: { path: string; subFileCount: number }[] }>("/api/filetree/listDocsByPath", {
            notebook,
            path: folder,
            maxListCount: -1,
          }),
        ),
      );
      for (const { files } of answers) for (const file of files) if (file.subFileCount > 0) next.push(file.path);
    }
    level = next;
  }
}
