// What the server tells an agent before its first call: which tool for what, how paths work, and how to write safely.

const before = [
  'SiYuan notes. Every call names an action; action="help" (with topic="<action>") shows schemas and examples. Ask it before you build nested arguments.',
  "",
  "Choosing a tool",
  "- fs: find and read notes by path (ls, read). Start here.",
  "- notebook: list notebooks with their ids, create one.",
  "- document: create a document from Markdown in a notebook.",
  "- block: exact edits by id: get_children, get_kramdown, append, update.",
  "- search: find_replace over many documents and blocks.",
  "",
  "Paths: fs paths begin with the notebook name, /Notebook/Folder/Document. document paths are relative to the notebook, /Folder/Document. Ids look like 20260812120000-abcdefg; copy them, never invent them.",
  "",
  "Reading: read the target and its neighbours before you edit. When an answer says hasNextWindow or hasNextPage, it is a part; a part proves nothing about what is absent. Continue with the fields of nextWindow, or the next page. fs read with includeBlockIds gives the block ids for edits.",
  "",
];

const strictWrites = [
  "Writing takes two calls",
  "1. Preflight: the call with validateOnly=true. Nothing is executed. Check the preview and targetCount.",
  "2. Commit: the same arguments without validateOnly, plus requestId from the reply and, when the reply has a preconditionField, the field of that name with its hash. Copy both unchanged. They hold for ten minutes and for exactly these arguments.",
  "Write only what the user asked for. committed means that SiYuan's stored content was read back and fits; no_change means that it was so already.",
  "",
  "When a write fails",
  "- state_changed: somebody edited the target. Read it again, decide again, run a new preflight.",
  "- preflight_lease_invalid: run the same preflight again.",
  "- permission_denied, disabled_error: the owner decides. Do not look for a way around.",
  "- outcome_unknown, readback_mismatch, or no answer: the write may have happened. Send the same call with the same requestId, or read the target. Never repeat it with a new requestId.",
];

const directWrites = [
  "Writing",
  "Strict writes are switched off: a write is executed at once, without a preflight, and nothing guards against edits made meanwhile. Read the target right before you write.",
  "Write only what the user asked for. readback_mismatch or outcome_unknown: look at the target before anything else.",
];

export function serverInstructions(strict: boolean): string {
  return [...before, ...(strict ? strictWrites : directWrites)].join("\n");
}
