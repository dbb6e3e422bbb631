// Seeds that once broke an invariant, and by what. They run in every test. A change of the simulation gives a seed another
// story: then the list is made anew from the code that had the defects.

export const regressionSeeds: readonly { readonly seed: number; readonly found: string }[] = [
  { seed: 309, found: "I-14: an orphan issued ids from a counter that its successor had used since" },
  { seed: 200, found: "I-20: a reserved id proved a write of which SiYuan had lost a word" },
  { seed: 1900, found: "I-20: a closed notebook proved a deletion" },
  { seed: 645, found: "I-30: a document was open while SiYuan had answered a write and not executed it" },
  { seed: 2485, found: "I-01: such a write took effect over a later commit" },
  { seed: 434, found: "I-30: a document was open to the successor of a run that ended with a write under way" },
  { seed: 1100, found: "I-01: such a write took effect over a commit of the successor" },
  { seed: 738, found: "I-30: a call waited for the settings before any deadline ran" },
  { seed: 638, found: "I-30: a refusal waited for the settings" },
  { seed: 203, found: "I-30: one torn copy of the id file stopped all writes" },
  { seed: 1739, found: "I-30: an open write of an unknown process stayed open for ever" },
  { seed: 124, found: "I-38: an orphan took the workspace back when temp/ was emptied" },
];
