// Loads the real Lute (SiYuan's Markdown engine, built for browsers in vditor) and sets it up as SiYuan's kernel does.
import { escapeAttribute, unescapeAttribute } from "../model/attribute-text.ts";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import vm from "node:vm";

/** The part of Lute's interface that the sandbox uses. Its own Tree methods overflow the stack in this build. */
interface LuteInstance {
  Md2BlockDOM(markdown: string, reserveEmptyParagraph: boolean): string;
  BlockDOM2Md(dom: string): string;
  BlockDOM2StdMd(dom: string): string;
  SpinBlockDOM(dom: string): string;
  ProtylePreviewStr(name: string, markdown: string): string;
  MarkdownStr(name: string, markdown: string): string;
  SetUnorderedListMarker(marker: string): void;
}

interface LuteConstructor {
  New(): LuteInstance;
}

const switchedOn = [
  "TextMark",
  "ProtyleWYSIWYG",
  "BlockRef",
  "FileAnnotationRef",
  "KramdownIAL",
  "Tag",
  "SuperBlock",
  "ImgPathAllowSpace",
  "GitConflict",
  "InlineAsterisk",
  "InlineUnderscore",
  "Sup",
  "Sub",
  "InlineMath",
  "GFMStrikethrough",
  "Mark",
  "InlineMathAllowDigitAfterOpenMarker",
  "ParagraphBeginningSpace",
  "Sanitize",
  "Callout",
  "DataTask",
  "ArbitraryTaskListItemMarker",
  "EnsureListItemParagraph",
];

const switchedOff = [
  "GFMStrikethrough1",
  "Footnotes",
  "ToC",
  "IndentCodeBlock",
  "AutoSpace",
  "HeadingID",
  "Setext",
  "YamlFrontMatter",
  "LinkRef",
  "CodeSyntaxHighlight",
  "ExportNormalizeTaskListMarker",
];

let loaded: LuteConstructor | undefined;

function loadLute(): LuteConstructor {
  if (loaded) return loaded;
  const file = createRequire(import.meta.url).resolve("vditor/dist/js/lute/lute.min.js");
  const context = vm.createContext({
    console,
    TextDecoder,
    TextEncoder,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    crypto: globalThis.crypto,
  }) as Record<string, unknown>;
  context.self = context;
  vm.runInContext(readFileSync(file, "utf8"), context, { filename: "lute.min.js" });
  loaded = context.Lute as LuteConstructor;
  return loaded;
}

function newInstance(htmlTagsBecomeMarks: boolean): LuteInstance {
  const instance = loadLute().New();
  const setters = instance as unknown as Record<string, (value: boolean) => void>;
  for (const name of switchedOn) setters[`Set${name}`]?.(true);
  for (const name of switchedOff) setters[`Set${name}`]?.(false);
  instance.SetUnorderedListMarker("-");
  setters.SetHTMLTag2TextMark?.(htmlTagsBecomeMarks);
  return instance;
}

/**
 * SiYuan reads DOM as a tree and keeps text that only looks like a mark. This Lute goes through Markdown instead, so the
 * signs of text are hidden from it: each becomes a character of the private area and back.
 */
const hiddenBase = 0xe300;
const signs = /[*_~=`#[\]()!$^<>{}|\\&:+-]/g;

/** An escaped sign is a mark of its own. */
const escapedSign = /(<span data-type="backslash">(?:<span>[^<]*<\/span>)?[^<]*<\/span>)/;

function hiddenSigns(dom: string): string {
  return hiddenTextSigns(hiddenHtmlLines(dom));
}

/** A blank line would end the HTML block. */
function hiddenHtmlLines(dom: string): string {
  return dom.replace(/(<protyle-html data-content=")([^"]*)/g, (_match, head: string, html: string) => {
    return head + html.replace(/\n/g, String.fromCharCode(hiddenBase + 0x0a));
  });
}

function hiddenTextSigns(dom: string): string {
  // In a table this Lute itself keeps the signs of texts apart from those of cells.
  if (dom.includes('data-type="NodeTable"')) return dom;
  return dom
    .split(escapedSign)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/(^|>)([^<>]+)(?=<|$)/g, hiddenText)))
    .join("");
}

function hiddenText(_whole: string, before: string, text: string): string {
  const plain = text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");
  return before + plain.replace(signs, (sign) => String.fromCharCode(hiddenBase + sign.charCodeAt(0)));
}

function openedSigns(dom: string): string {
  return dom.replace(/[\ue300-\ue37f]/g, (hidden) => {
    const sign = String.fromCharCode(hidden.charCodeAt(0) - hiddenBase);
    return sign === "&" ? "&amp;" : sign === "<" ? "&lt;" : sign === ">" ? "&gt;" : sign;
  });
}

/** Raised where Lute panics, for instance on a badly shaped id in an attribute line. */
export class LutePanic extends Error {}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new LutePanic(String(error));
  }
}

/** One engine per process: Lute is stateless between calls. */
export class LuteEngine {
  readonly #api = newInstance(true);
  readonly #plain = newInstance(false);
  readonly #stdMarkdown = new Map<string, string>();

  /** Markdown with attribute lines to block DOM, as the block routes and createDocWithMd do. "" for empty Markdown. */
  markdownToDom(markdown: string): string {
    return asStored(guarded(() => this.#api.Md2BlockDOM(markdown, true)));
  }

  /** Foreign or stored block DOM to the kernel's normal form; block ids and listed attributes survive. */
  normaliseDom(dom: string): string {
    return openedSigns(guarded(() => this.#plain.SpinBlockDOM(hiddenSigns(dom))));
  }

  /** Kramdown in textmark form, with attribute lines. */
  domToTextmark(dom: string): string {
    return guarded(() => this.#plain.BlockDOM2Md(dom));
  }

  /** Plain Markdown without attribute lines. Cached: the same leaves are read again and again. */
  domToMarkdown(dom: string): string {
    const known = this.#stdMarkdown.get(dom);
    if (known !== undefined) return known;
    const markdown = guarded(() => this.#plain.BlockDOM2StdMd(dom));
    if (this.#stdMarkdown.size > 20_000) this.#stdMarkdown.clear();
    this.#stdMarkdown.set(dom, markdown);
    return markdown;
  }

  previewHtml(markdown: string): string {
    return guarded(() => this.#plain.ProtylePreviewStr("", markdown));
  }

  plainHtml(markdown: string): string {
    return guarded(() => this.#plain.MarkdownStr("", markdown));
  }
}

/** The kernel decodes HTML blocks once more than it encodes them, and drops super blocks without content. */
function asStored(dom: string): string {
  return dom
    .replace(/(<protyle-html data-content=")([^"]*)/g, (_match, head: string, html: string) => {
      const source = unescapeAttribute(html);
      const decoded = /&(?:amp|lt|gt|quot);/.test(source) ? escapeAttribute(unescapeAttribute(source)) : html;
      return head + decoded;
    })
    .replace(/<div [^>]*data-type="NodeSuperBlock"[^>]*><div class="protyle-attr"[^>]*>[^<]*<\/div><\/div>/g, "");
}
