// System, SQL, export, Markdown preview and secrets.
import { posix } from "node:path";
import { type Envelope, HandlerPanic, Refusal, success } from "../http/answer.ts";
import type { RouteCall, RouteTable } from "../http/route.ts";
import { childrenOf } from "../model/block-node.ts";
import { toExportMarkdown } from "../model/kramdown.ts";
import { SqlSyntaxError } from "../model/sql-index.ts";

export const kernelVersion = "3.7.3";

function getConf({ kernel }: RouteCall): Envelope {
  const { conf } = kernel.workspace;
  const container = process.platform === "linux" ? "linux" : process.platform;
  return success({
    conf: {
      lang: "en",
      readonly: false,
      fileTree: {
        sort: conf.fileTree.sort,
        maxListCount: 512,
        createDocAtTop: true,
        allowCreateDeeper: false,
        boxDocEnabled: false,
      },
      search: { limit: 64 },
      api: { token: conf.api.token },
      accessAuthCode: conf.accessAuthCode === "" ? "" : "*******",
      secrets: conf.secrets,
      variables: conf.variables,
      bazaar: conf.bazaar,
      system: {
        id: "sandbox",
        name: posix.basename(kernel.workspace.folder),
        kernelVersion,
        os: process.platform,
        container,
        workspaceDir: "",
        dataDir: "",
        networkServe: false,
      },
    },
    isPublish: false,
    start: false,
  });
}

function querySql({ kernel, arguments: fields }: RouteCall): Envelope {
  const statement = fields.requiredText("stmt");
  try {
    return success(kernel.sql.query(statement));
  } catch (error) {
    if (error instanceof SqlSyntaxError) throw new Refusal(1, error.message);
    throw error;
  }
}

async function flushTransaction({ kernel }: RouteCall): Promise<Envelope> {
  await kernel.queue.drained();
  kernel.sql.flush();
  return success(null);
}

function stampAsIso(stamp: string): string {
  return stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z");
}

function exportMdContent({ kernel, arguments: fields }: RouteCall): Envelope {
  const id = fields.identifier("id");
  const document = kernel.documents.documentOf(id);
  const node = kernel.documents.node(id);
  if (!document || !node) return success({ content: "", hPath: "" });
  const hPath = kernel.documents.humanPath(document);
  if (childrenOf(node).length === 0 && node !== document.root) {
    return success({ content: `${toExportMarkdown(node, kernel.lute)}\n`, hPath });
  }
  const title = kernel.documents.title(document);
  const head =
    node === document.root
      ? `---\ntitle: ${title}\ndate: ${stampAsIso(node.id.slice(0, 14))}\n` +
        `lastmod: ${stampAsIso(node.attributes.get("updated") ?? "")}\n---\n\n# ${title}\n\n`
      : "";
  return success({ content: `${head}${toExportMarkdown(node, kernel.lute)}\n`, hPath });
}

function md2html({ kernel, arguments: fields }: RouteCall): Envelope {
  const markdown = fields.requiredText("markdown");
  const mode = fields.optionalText("mode");
  if (mode === "protyle-preview") return success({ html: kernel.lute.previewHtml(markdown) });
  if (mode === "") return success({ html: kernel.lute.plainHtml(markdown) });
  throw new Refusal(-1, "unknown [mode]");
}

function namedValues(value: unknown): { name: string; value: string }[] {
  if (!Array.isArray(value)) throw new HandlerPanic("items");
  return value.map((item: { name?: unknown; value?: unknown }) => ({
    name: String(item.name ?? ""),
    value: String(item.value ?? ""),
  }));
}

function setSecrets({ kernel, arguments: fields }: RouteCall): Envelope {
  kernel.workspace.conf.secrets = { items: namedValues(fields.fields.items ?? []) };
  kernel.workspace.saveConf();
  return success(kernel.workspace.conf.secrets);
}

function setVariables({ kernel, arguments: fields }: RouteCall): Envelope {
  kernel.workspace.conf.variables = { items: namedValues(fields.fields.items ?? []) };
  kernel.workspace.saveConf();
  return success(kernel.workspace.conf.variables);
}

export const systemRoutes: RouteTable = {
  "system/version": () => success(kernelVersion),
  "system/bootProgress": () => success({ details: `v${kernelVersion} Finishing boot...`, progress: 100 }),
  "system/currentTime": () => success(Date.now()),
  "system/getConf": getConf,
  "query/sql": querySql,
  "sqlite/flushTransaction": flushTransaction,
  "export/exportMdContent": exportMdContent,
  "lute/md2html": md2html,
  "setting/setSecrets": setSecrets,
  "setting/setVariables": setVariables,
};

/** Routes anyone may call. */
export const publicRoutes = new Set(["system/version", "system/bootProgress", "system/currentTime"]);
