// block.get_attrs, info, breadcrumb and dom: what is known of one block.

import { blockBreadcrumb, blockDom, blockGetAttrs, blockInfo } from "../../../shared/catalogue/block.js";
import { decodeEntities } from "../../api/dom.js";
import { implementRead } from "../../safety/contract.js";
import { readAttributes } from "./attributes.js";
import { blockNotFound, isDocument } from "./location.js";
import { readTarget } from "./target.js";

export const getAttrs = implementRead(blockGetAttrs, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id }, { found }, { reader }) {
    const attributes = await readAttributes(reader, found);
    if (!attributes) throw blockNotFound(id, "id");
    return { id, attrs: Object.fromEntries(attributes) };
  },
});

export const info = implementRead(blockInfo, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id }, { found }, { reader }) {
    const { type, parentID, previousID, nextID } = found;
    return { id, type, parentID, previousID, nextID, ...(await reader.blockInfo(id)) };
  },
});

export const breadcrumb = implementRead(blockBreadcrumb, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id, excludeTypes }, _targets, { reader }) {
    const steps = await reader.breadcrumb(id, excludeTypes ?? []);
    if (steps.length === 0) throw blockNotFound(id, "id");
    return {
      id,
      path: steps.map((step) => ({
        id: String(step.id),
        name: decodeEntities(String(step.name)),
        type: String(step.type),
        subType: String(step.subType ?? ""),
      })),
    };
  },
});

export const dom = implementRead(blockDom, {
  targets: ({ id }, tools) => readTarget(id, tools),
  async read({ id }, { found }, { reader }) {
    const html = await reader.blockDom(id);
    if (html === undefined && !isDocument(found)) throw blockNotFound(id, "id");
    return { id, dom: html ?? "" };
  },
});
