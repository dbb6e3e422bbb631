// What a document title may hold, so that SiYuan stores it as it was asked.

import { sizeLimits } from "../../../shared/limits.js";
import { hasLoneSurrogate, refusal } from "../block/content.js";
import { holdsDroppedCharacter } from "./dropped-characters.js";

/** SiYuan changes such titles silently, so the note would not be found under the asked name. */
export function requireTitle(title: string, field: string): void {
  if (title === "") throw refusal("content_would_be_lost", field, "SiYuan would write Untitled");
  if (Array.from(title).length > sizeLimits.maxTitleChars) {
    throw refusal("content_would_be_lost", field, `a title of more than ${sizeLimits.maxTitleChars} characters is cut`);
  }
  const isChanged = title.includes("/") || title !== title.trim() || /\.sy$/i.test(title);
  if (isChanged || holdsDroppedCharacter(title) || hasLoneSurrogate(title)) {
    throw refusal(
      "content_would_be_lost",
      field,
      "SiYuan drops slashes, control and other invisible characters, odd and outer spaces and the ending .sy from titles",
    );
  }
}
