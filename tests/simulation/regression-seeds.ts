// Seeds that once broke an invariant, and by what, in the code and the simulation of that day. They run in every test. A
// change of either gives a seed another story; where that matters a defect is put back and a seed is looked for.

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
  { seed: 3639, found: "I-17: an orphan settled an id that its successor was executing" },
  { seed: 9429, found: "I-17: the same, of an append" },
  { seed: 7049, found: "I-20: the oracle knew no move behind a quote that the move empties" },
  { seed: 9829, found: "I-37: the oracle looked for a removed document by a name that it had no more" },
  { seed: 1171, found: "I-30: a new instance did not know what its predecessor had sent" },
  { seed: 9817, found: "I-01: an old fence file hid a predecessor in the same process" },
  { seed: 2744, found: "I-17: a record that was written although it seemed not to be was settled again" },
  { seed: 97, found: "I-17: a replay of fs.mv named its paths otherwise than the commit" },
  { seed: 1115, found: "I-37: a path was resolved by a notebook's name of a second ago" },
  { seed: 4134, found: "I-20: an answer without data proved a deletion" },
  { seed: 8130, found: "I-01: a removal did not see another attribute of a document below" },
  { seed: 9607, found: "I-30: the last copy of the id file was torn" },
];
