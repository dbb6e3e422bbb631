// The raw file routes, for the plugin's own two folders and for the folders of documents.

import type { JsonObject } from "../../../shared/wire/json.js";
import type { Disk } from "../world/disk.js";
import type { Notes } from "./notes.js";

export const filePaths: ReadonlySet<string> = new Set(
  ["getFile", "putFile", "readDir", "removeFile"].map((name) => `/api/file/${name}`),
);

/** The file that a request writes. */
export interface Upload {
  readonly path: string;
  readonly text: string;
}

const pathField = 'name="path"\r\n\r\n';
const fileField = "application/json\r\n\r\n";

/** Takes the multipart form of the plugin's own client apart. */
export function parseUpload(form: string): Upload {
  const pathStart = form.indexOf(pathField) + pathField.length;
  const textStart = form.indexOf(fileField) + fileField.length;
  return {
    path: form.slice(pathStart, form.indexOf("\r\n", pathStart)),
    text: form.slice(textStart, form.lastIndexOf("\r\n--")),
  };
}

export interface FileAnswer {
  readonly status: number;
  readonly text: string;
}

export function readFile(disk: Disk, body: JsonObject): FileAnswer {
  const text = disk.read(String(body.path));
  return text === undefined
    ? { status: 202, text: JSON.stringify({ code: 404, msg: "file does not exist", data: null }) }
    : { status: 200, text };
}

export function readFolder(disk: Disk, notes: Notes, body: JsonObject): FileAnswer {
  const folder = String(body.path);
  const entries =
    folder.startsWith("/data/storage/") || folder.startsWith("/temp/")
      ? disk.names(folder).map((name) => ({
          name,
          isDir: !name.includes("."),
          updated: Math.floor(disk.writtenAtMs(`${folder}/${name}`) / 1_000),
        }))
      : documentFiles(notes, folder);
  const envelope = entries.length === 0 ? { code: 404, msg: "", data: null } : { code: 0, msg: "", data: entries };
  return { status: 200, text: JSON.stringify(envelope) };
}

function documentFiles(notes: Notes, folder: string): { name: string; isDir: boolean; updated: number }[] {
  const [, , notebook = "", ...ids] = folder.split("/");
  const below = notes.below(notebook, ids[ids.length - 1] ?? "");
  const files = below.map((note) => ({ name: `${note.id}.sy`, isDir: false, updated: 0 }));
  const folders = below.filter((note) => notes.below(notebook, note.id).length > 0);
  return files.concat(folders.map((note) => ({ name: note.id, isDir: true, updated: 0 })));
}
