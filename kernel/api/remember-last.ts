// A pure function of a long text that remembers its last results: a commit asks what its preflight asked, and a readback
// what the answer before it was asked.

const remembered = 2;
/** Shorter texts cost less than looking for them. */
const minChars = 2_048;
/** Longer ones would be kept for little. */
const maxChars = 262_144;

export function rememberLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  /** Latest last. */
  let results: { readonly text: string; readonly result: Result }[] = [];
  return (text) => {
    if (text.length < minChars || text.length > maxChars) return compute(text);
    const known = results.find((each) => each.text === text);
    const result = known ? known.result : compute(text);
    if (!known) results = results.slice(1 - remembered).concat({ text, result });
    return result;
  };
}
