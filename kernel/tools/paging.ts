// Pages of a list, in the form that every paged read answers.

import { readLimits } from "../../shared/limits.js";
import type { Json, JsonObject } from "../../shared/wire/json.js";

/** One page, from 1, with the fields to go on. */
export function pageOf(rows: readonly Json[], page = 1, pageSize: number = readLimits.defaultPageSize): JsonObject {
  const pageCount = Math.max(1, Math.ceil(rows.length / pageSize));
  const data = rows.slice((page - 1) * pageSize, page * pageSize);
  return { data, total: rows.length, page, pageSize, pageCount, hasNextPage: page < pageCount };
}
