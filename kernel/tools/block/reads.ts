// block.get_kramdown and block.get_children: what a block is made of.

import { blockGetChildren, blockGetKramdown } from "../../../shared/catalogue/block.js";
import { implementRead, type ReadTools } from "../../safety/contract.js";
import { pageOf } from "../paging.js";
import { blockNotFound, liveBlock } from "./location.js";

async function target(id: string, { reader }: ReadTools) {
  const block = await liveBlock(reader, id, "id");
  return { ids: [id], notebooks: [block.notebook], found: block };
}

export const getKramdown = implementRead(blockGetKramdown, {
  targets: ({ id }, tools) => target(id, tools),
  async read({ id }, _targets, { reader }) {
    const kramdown = await reader.kramdown(id);
    if (kramdown === undefined) throw blockNotFound(id, "id");
    return { id, kramdown };
  },
});

export const getChildren = implementRead(blockGetChildren, {
  targets: ({ id }, tools) => target(id, tools),
  async read({ id, page, pageSize }, _targets, { reader }) {
    const children = await reader.children(id);
    return { id, ...pageOf(children.map((child) => ({ ...child })), page, pageSize) };
  },
});
