// SiYuan's list of the documents in a folder. It says twenty things of each, of which we want six: parsing the rest costs
// most of such a read, so it is cut out of the text before.

import { isJsonObject, type Json } from "../../shared/wire/json.js";
import type { HostReply } from "../host/host.js";
import { dataOf } from "./envelope.js";

export interface DocumentEntry {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly children: number;
  readonly icon: string;
  /** Size of its file, which changes with nearly every edit. */
  readonly bytes: number;
}

/** The entries of an answer of listDocsByPath, or undefined when it holds no list. */
export function documentEntries(reply: HostReply): readonly DocumentEntry[] | undefined {
  const files = wantedFiles(reply) ?? allFiles(reply);
  return files?.filter(isJsonObject).map((file) => ({
    id: String(file.id),
    path: String(file.path),
    title: withoutSuffix(String(file.name)),
    children: Number(file.subFileCount ?? 0),
    icon: String(file.icon ?? ""),
    bytes: Number(file.size ?? 0),
  }));
}

/** SiYuan lists titles with the file suffix in some versions. */
function withoutSuffix(name: string): string {
  return name.endsWith(".sy") ? name.slice(0, -".sy".length) : name;
}

function allFiles(reply: HostReply): readonly Json[] | undefined {
  const data = dataOf("listDocsByPath", reply);
  return isJsonObject(data) && Array.isArray(data.files) ? data.files : undefined;
}

/** In front of the list, between two files, behind the list. A quote inside a title is escaped and fits none. */
const start = '{"code":0,"msg":"","data":{"box":"';
const head = ',"files":[{"path":';
const between = '},{"path":';
const tail = '}],"path":"';

/** The files with few fields beside the wanted ones; undefined when the answer has not the usual form. */
function wantedFiles({ status, text }: HostReply): readonly Json[] | undefined {
  const from = text.indexOf(head);
  const to = text.lastIndexOf(tail);
  if (status !== 200 || !text.startsWith(start) || from < 0 || to < from) return undefined;
  const files = text
    .slice(from + head.length, to)
    .split(between)
    .map(wantedFields);
  if (files.includes("")) return undefined;
  try {
    return JSON.parse(`[{"path":${files.join(between)}}]`);
  } catch {
    return undefined;
  }
}

/** Fields from one mark to before the next, in the order in which SiYuan writes them; "" for another order. */
function wantedFields(file: string): string {
  const icon = file.indexOf(',"name1":');
  const id = file.indexOf(',"id":', icon);
  const size = file.indexOf(',"hSize":', id);
  const children = file.indexOf(',"subFileCount":', size);
  const end = file.indexOf(',"newFlashcardCount":', children);
  if (icon < 0 || id < 0 || size < 0 || children < 0 || end < 0) return "";
  return file.slice(0, icon) + file.slice(id, size) + file.slice(children, end);
}
