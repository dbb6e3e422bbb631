// The raw file routes: bytes or an HTTP 202 envelope from getFile, multipart into putFile, listings, removal, renames.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { type Envelope, Refusal, success } from "../http/answer.ts";
import type { MultipartForm } from "../http/multipart.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import type { Workspace } from "../model/workspace.ts";
import { writeFileAtomically } from "../model/workspace.ts";

const strippedFromNames = /[~[\](){}!`&=#%$;:*?"<>|\\]/;

function absolute(workspace: Workspace, path: string): string {
  const file = resolve(join(workspace.folder, path));
  const base = resolve(workspace.folder);
  // The check is made on the cleaned path, so "/../x" leaves the workspace and is refused.
  const climbed = path
    .split("/")
    .reduce(
      (depth, part) => (depth < 0 ? depth : depth + (part === ".." ? -1 : part === "" || part === "." ? 0 : 1)),
      0,
    );
  if (climbed < 0 || (file !== base && !file.startsWith(base + sep))) throw new Refusal(403, "permission denied");
  return file;
}

/** Raw bytes on success; failures are an envelope with HTTP 202. */
export function readRawFile(workspace: Workspace, path: string): Buffer {
  const file = absolute(workspace, path);
  if (!existsSync(file)) throw new Refusal(404, "file does not exist");
  if (statSync(file).isDirectory()) throw new Refusal(409, "path is a directory");
  return readFileSync(file);
}

export function storeUpload(workspace: Workspace, form: MultipartForm): Envelope {
  const path = form.values.path?.[0] ?? "";
  if (path === "") throw new Refusal(400, "Field [path] is required");
  const file = absolute(workspace, path);
  if (form.values.isDir?.[0] === "true") {
    mkdirSync(file, { recursive: true });
    return success(null);
  }
  const upload = form.files.file?.[0];
  if (!upload) throw new Refusal(400, "Field [file] is required");
  if (existsSync(file) && statSync(file).isDirectory()) throw new Refusal(400, "path is a directory");
  const name = file.slice(dirname(file).length + 1);
  if (!existsSync(file) && strippedFromNames.test(name)) throw new Refusal(400, "invalid file name");
  writeFileAtomically(file, upload.content);
  return success(null);
}

function readDir({ kernel, arguments: fields }: RouteCall): Envelope {
  const folder = absolute(kernel.workspace, fields.requiredText("path"));
  if (!existsSync(folder)) throw new Refusal(404, "path does not exist");
  if (!statSync(folder).isDirectory()) throw new Refusal(409, "path is not a directory");
  const entries = readdirSync(folder)
    .sort()
    .map((name) => {
      const status = lstatSync(join(folder, name));
      return {
        isDir: status.isDirectory(),
        isSymlink: status.isSymbolicLink(),
        name,
        updated: Math.floor(status.mtimeMs / 1000),
      };
    });
  return success(entries);
}

function removeFile({ kernel, arguments: fields }: RouteCall): Envelope {
  const file = absolute(kernel.workspace, fields.requiredText("path"));
  if (!existsSync(file)) throw new Refusal(404, "path does not exist");
  rmSync(file, { recursive: true });
  return success(null);
}

function renameFile({ kernel, arguments: fields }: RouteCall): Envelope {
  const from = absolute(kernel.workspace, fields.requiredText("path"));
  const to = absolute(kernel.workspace, fields.requiredText("newPath"));
  if (!existsSync(from)) throw new Refusal(404, "Field [path]: path does not exist");
  if (existsSync(to)) throw new Refusal(409, "Field [newPath]: path already exists");
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  return success(null);
}

export const fileRoutes: RouteTable = {
  "file/readDir": readDir,
  "file/removeFile": removeFile,
  "file/renameFile": renameFile,
};
