// block.get_kramdown and block.get_children: what a block is made of.

import { blockGetChildren, blockGetKramdown } from "../../../shared/catalogue/block.js";
import { implementRead } from "../../safety/contract.js";
import { pageOf } from "../paging.js";
import { blockNotFound } from "./location.js";
import { readTarget } from "./target.js";

export const getKramdown = implementRead(blockGetKramdown, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id }, _targets, { reader }) {
    const kramdown = await reader.kramdown(id);
    if (kramdown === undefined) throw blockNotFound(id, "id");
    return { id, kramdown };
  },
});

export const getChildren = implementRead(blockGetChildren, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id, page, pageSize }, _targets, { reader }) {
    const children = await reader.children(id);
    return {
      id,
      ...pageOf(
        children.map((child) => ({ ...child })),
        page,
        pageSize,
      ),
    };
  },
});
