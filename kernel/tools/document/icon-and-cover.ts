// What an icon and a cover become in SiYuan, and which values it would store but could not show.

import { hasLoneSurrogate, refusal } from "../block/content.js";

/** Printable ASCII that no emoji holds; keycaps are made of #, * and digits. */
const plainText = /[ -"$-)+-/:-~]/;
const unstorableCharacters = /[\u0000-\u001f\u007f\u200b\u00a0\u2028\u2029]/;
const isUnstorable = (text: string) => unstorableCharacters.test(text) || hasLoneSurrogate(text);
const codePoints = /^[0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*$/i;
const imagePath = /^[^\s<>"'\\]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i;
const dynamicIcon = /^\/?api\/icon\/getDynamicIcon\?[^\s<>"'\\]*$/;
const cssBackground = /^background(?:-[a-z]+)?\s*:/i;
const imageAddress = /^(?:[a-z][a-z0-9+.-]*:|\/|[^/]+\/)/i;

/** The icon as SiYuan stores it: an emoji as its code points in hex, anything else as it is. */
export function storedIcon(icon: string, field: string): string {
  if (codePoints.test(icon) || imagePath.test(icon) || dynamicIcon.test(icon)) return icon;
  if (icon === "" || isUnstorable(icon) || plainText.test(icon) || !/[^\u0000-\u007f]/.test(icon)) {
    throw refusal(
      "invalid_arguments",
      field,
      "not an emoji, its code points in hex (1f4d4), or the path of an image; null clears",
    );
  }
  return Array.from(icon)
    .map((character) => (character.codePointAt(0) as number).toString(16))
    .join("-");
}

/** The cover as SiYuan stores it: a CSS background. An image's path or address is made into one. */
export function storedCover(cover: string, field: string): string {
  if (cover === "" || cover !== cover.trim() || isUnstorable(cover)) {
    throw refusal(
      "content_would_be_lost",
      field,
      "SiYuan drops control characters, zero-width, no-break and outer spaces; null clears",
    );
  }
  if (cssBackground.test(cover)) return cover;
  if (!imageAddress.test(cover) || /["\\]/.test(cover)) {
    throw refusal(
      "invalid_arguments",
      field,
      "not the path or address of an image (assets/x.png, https://…), nor a CSS background",
    );
  }
  return `background-image:url("${cover}")`;
}
