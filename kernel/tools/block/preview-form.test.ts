// Equal forms for one meaning, other forms for another.

import { expect, it } from "vitest";
import { previewForm } from "./preview-form.js";

it("leaves out what names a block and what SiYuan adds between marks", () => {
  const asked = '<p id="20260101000000-aaaaaaa" updated="20260101000000">a <code>b</code> <a href="x">c</a></p>\n';
  const stored =
    '<p custom-a="1" updated="20260202000000" id="20260202000000-bbbbbbb" name="n">a <code>b</code>\u200b <a href="x">c</a></p>';
  expect(previewForm(stored)).toBe(previewForm(asked));
});

it.each([
  ["<p>a</p>", "<h1>a</h1>"],
  ["<p>a b</p>", "<p>ab</p>"],
  ["<p><strong>a</strong> b</p>", "<p>a <strong>b</strong></p>"],
  ['<p><a href="x">a</a></p>', '<p><a href="y">a</a></p>'],
  ['<pre data-language="js"><code>a</code></pre>', '<pre data-language="ts"><code>a</code></pre>'],
  ["<ul><li><p>a</p></li></ul>", "<ol><li><p>a</p></li></ol>"],
])("tells %s from %s", (left, right) => {
  expect(previewForm(left)).not.toBe(previewForm(right));
});
