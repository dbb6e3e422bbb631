// Reads a multipart/form-data body into fields and files.

export interface MultipartFile {
  filename: string;
  headers: Record<string, string[]>;
  content: Buffer;
}

export interface MultipartForm {
  values: Record<string, string[]>;
  files: Record<string, MultipartFile[]>;
}

function partHeaders(source: string): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const line of source.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).trim()] = [line.slice(colon + 1).trim()];
  }
  return headers;
}

export function parseMultipart(body: Buffer, contentType: string): MultipartForm | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const form: MultipartForm = { values: {}, files: {} };
  const delimiter = Buffer.from(`--${boundary}`);
  let position = body.indexOf(delimiter);
  while (position >= 0) {
    const start = position + delimiter.length + 2;
    const next = body.indexOf(delimiter, start);
    if (next < 0) break;
    const part = body.subarray(start, next - 2);
    const split = part.indexOf("\r\n\r\n");
    const headers = partHeaders(part.subarray(0, split).toString("utf8"));
    const disposition =
      Object.entries(headers).find(([name]) => name.toLowerCase() === "content-disposition")?.[1][0] ?? "";
    const name = /[ ;]name="([^"]*)"/.exec(disposition)?.[1] ?? "";
    const filename = /filename="([^"]*)"/.exec(disposition)?.[1];
    const content = Buffer.from(part.subarray(split + 4));
    if (filename === undefined) {
      form.values[name] = [...(form.values[name] ?? []), content.toString("utf8")];
    } else {
      form.files[name] = [...(form.files[name] ?? []), { filename, headers, content }];
    }
    position = next;
  }
  return form;
}
