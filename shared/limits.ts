// Every number of the product, with its unit in the name. Nothing else in the tree holds a limit of its own.

/** Admission, lanes and answer times. Source: the promises of the strict-safe-writes pages. */
export const callLimits = {
  maxCallsInFlight: 128,
  readConcurrency: 4,
  writeConcurrency: 1,
  /** A call still before the barrier this long after admission is refused, not executed. */
  barrierDeadlineMs: 30_000,
  /** Every answer leaves within this time; clients give up at 60 s. */
  answerDeadlineMs: 50_000,
  /** Work that still runs this long after its start gives its lane free; what it touches stays closed. */
  laneReleaseMs: 55_000,
  /** How long an unload waits for the write that was already dispatched. */
  unloadDrainMs: 5_000,
  /** Pause between the last answer of an unload and its end, so that the host can send them. */
  unloadFlushMs: 50,
} as const;

/** Preflights, request ids and the ledger. */
export const safetyLimits = {
  leaseTtlMs: 600_000,
  maxPreflights: 2_048,
  minAliasDigits: 4,
  digestHexDigits: 64,
  minRequestIdDigits: 4,
  requestIdReservation: 256,
  /** Digits of the first id after all files of ids were torn: more than ids before had, and room for another time. */
  digitsAfterDamage: 10,
  ledgerRetentionDays: 7,
  /** No witness of a longer text: with it, the digests of a preflight would not all be remembered until the commit. */
  maxWitnessChars: 262_144,
  /** So long SiYuan's word that it runs this instance counts; with an older one nothing is dispatched. */
  ownerCheckMs: 1_000,
  /** How long a new instance waits before its first write, so that its predecessor has sent what it had checked: longer than that. */
  takeOverMs: 1_500,
  /** Of so many of the last ledger records a new instance learns what its predecessor left unanswered. */
  takenOverRecords: 32,
  /** Ledger records kept in memory; older ones are read from their files. */
  maxRememberedRecords: 2_048,
  /** Longer texts are compared only around their first difference. */
  maxDiffInputChars: 16_384,
  diffLeadChars: 80,
  maxDiffChars: 1_200,
  maxDiffLines: 24,
} as const;

/** What one request or answer may weigh. */
export const sizeLimits = {
  maxRequestBodyBytes: 4 * 1024 * 1024,
  maxDigestInputBytes: 16 * 1024 * 1024,
  jsDigestSliceBytes: 8 * 1024,
  maxRememberedDigestChars: 1024 * 1024,
  base64SliceChars: 256 * 1024,
  /** An answer or DOM above this is worked on in slices, between which other calls run. */
  longTextChars: 256 * 1024,
  maxMarkdownChars: 2 * 1024 * 1024,
  maxTitleChars: 512,
  maxSettingChars: 4_096,
  maxSearchPatternChars: 1_000,
  maxHumanPathLevels: 7,
  maxNestingLevels: 100,
  maxBatchItems: 256,
  /** Documents that one removal may take along: the preflight reads each of them. */
  maxRemovedDocuments: 256,
  /** Documents or blocks that one call may move: the preflight reads each of them. */
  maxMovedItems: 100,
  /** Documents that one call may put in order: a folder is ordered as a whole. */
  maxOrderedDocuments: 4_096,
  /** Blocks that one call edits in a document. */
  maxEditedBlocks: 1_000,
  /** References that one call looks at or changes; more are refused, never left out. */
  maxReferences: 5_000,
  maxDocumentWindowBytes: 256 * 1024,
  /** Fourteen tools share about 56,500 characters; the largest, with over twenty actions, may take more than their part. */
  maxToolDescriptorChars: 4_600,
  /** A longer schema of one field shows only its types in the list; help has all of it. */
  nestedSchemaChars: 120,
} as const;

/** Paging and windows. */
export const readLimits = {
  defaultPageSize: 50,
  maxPageSize: 200,
  maxBlockLimit: 200,
  maxBatchReadBlocks: 20,
  /** SiYuan's own list of recent blocks is never longer. */
  maxRecentBlocks: 16,
  maxTokenBudget: 32_000,
  charsPerToken: 4,
  maxTreeDepth: 20,
  defaultTreeDepth: 3,
  /** Requests to SiYuan that one read may have open at once. */
  parallelRequests: 4,
  /** A search over more documents names those it left out. */
  maxSearchedDocuments: 2_000,
  maxExcerptChars: 400,
} as const;

/** Legacy sessions and the standalone event stream. */
export const sessionLimits = {
  maxTombstones: 1_024,
  streamRetryMs: 2_000_000_000,
  streamCloseDelayMs: 50,
  /** Hard cap on sends per stream: the host freezes at the 17th send after a close. */
  maxSendsAfterOpen: 10_000,
} as const;

/** The host and its HTTP client. */
export const hostLimits = {
  requestTimeoutMs: 40_000,
  settingsCacheMs: 1_000,
  /** How long a notebook may take to load or unload once that was asked, and how long one that loads already is waited for. */
  notebookLoadMs: 15_000,
  notebookSettleMs: 1_000,
  notebookPollMs: 50,
  lockProbeHoldMs: 150,
} as const;

/** The Node programs. */
export const bridgeLimits = {
  requestTimeoutMs: 58_000,
  listTimeoutMs: 10_000,
  connectRetries: 5,
  connectRetryDelayMs: 200,
  maxAnswerBytes: 64 * 1024 * 1024,
  /** How long a relay waits for the plugin to come back after it enabled it again, and how often it asks. */
  healWaitMs: 10_000,
  healPollMs: 100,
  healAgainAfterMs: 600_000,
} as const;
