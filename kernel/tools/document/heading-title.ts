// The title that a heading's text makes, and what of the heading a title cannot hold.

import { referenceIds, scanDom } from "../../api/dom.js";
import { refusal } from "../block/content.js";
import { domTexts } from "../block/dom-texts.js";
import { requireTitle } from "./title.js";

export interface HeadingTitle {
  readonly title: string;
  readonly notes: readonly string[];
}

/** Throws a refusal for a heading without text, or with something that would be lost unseen. */
export function titleOfHeading(html: string, field: string): HeadingTitle {
  let marks = 0;
  scanDom(html, (tag) => {
    const types = (tag.attributes.get("data-type") ?? "").split(" ");
    if (tag.name === "img" || types.some((type) => type === "img" || type === "inline-math"))
      throw refusal("content_would_be_lost", field, "the heading holds an image or a formula, which a title cannot");
    if (types.includes("inline-memo") || types.includes("file-annotation-ref"))
      throw refusal("content_would_be_lost", field, "the heading holds a memo or an annotation, which a title cannot");
    if (tag.name === "span" && !tag.closes && types[0] !== "" && types[0] !== "backslash") marks++;
  });
  const text = domTexts(html)
    .map((part) => part.text)
    .join("")
    .replace(/\u200b/g, "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
  if (text === "") throw refusal("content_would_be_lost", field, "the heading has no text; a document needs a title");
  const title = text.replace(/\//g, "_");
  requireTitle(title, field);
  const references = referenceIds(html).length;
  return {
    title,
    notes: [
      ...(title === text ? [] : ["slashes of the heading are underscores in the title"]),
      ...(marks > references ? ["marks of the heading are plain text in the title"] : []),
      ...(references > 0 ? [`${references} references of the heading are plain text in the title`] : []),
    ],
  };
}
