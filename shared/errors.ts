// Every error the product reports: its family, whether anything was executed, what to do next, and its exit code.
// One table on purpose, longer than other files: whoever looks for an error looks here.

/** Exit codes of the command line. */
export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  unavailable: 3,
  authentication: 4,
  permission: 5,
  conflict: 6,
  unknownOutcome: 7,
  interrupted: 130,
} as const;

/** Whether SiYuan received a mutating request before this error: never, perhaps, or yes. */
export type Executed = "no" | "unknown";

interface ErrorDefinition {
  readonly type: string;
  readonly cause: string;
  readonly executed: Executed;
  readonly next: string;
  readonly exit: number;
}

const define = (type: string, exit: number, executed: Executed, cause: string, next: string): ErrorDefinition => ({
  type,
  cause,
  executed,
  next,
  exit,
});

const { error, usage, unavailable, authentication, permission, conflict, unknownOutcome } = exitCodes;

/** The table. Keys are the wire codes. */
export const errorTable = {
  invalid_arguments: define(
    "validation_error",
    usage,
    "no",
    "The arguments do not fit the action",
    'Correct the named fields; action="help" shows the schema',
  ),
  unknown_tool: define("unknown_tool", usage, "no", "There is no such tool", "Use a name from tools/list"),
  unknown_action: define("unknown_action", usage, "no", "The tool has no such action", "Use an action that help lists"),
  unknown_help_topic: define(
    "unknown_help_topic",
    usage,
    "no",
    "There is no help on that topic",
    "Use one of validTopics",
  ),
  tool_disabled: define(
    "disabled_error",
    permission,
    "no",
    "The tool is switched off",
    "Ask the owner to enable it, in the file mcpToolsConfig of the plugin's storage",
  ),
  action_disabled: define(
    "disabled_error",
    permission,
    "no",
    "The action is switched off",
    "Ask the owner to enable it, in the file mcpToolsConfig of the plugin's storage",
  ),
  permission_denied: define(
    "permission_denied",
    permission,
    "no",
    "The notebook's permission level is too low",
    "Ask the owner to raise the level of this notebook, in the file notebookPermissions of the plugin's storage",
  ),
  invalid_path: define(
    "invalid_path",
    usage,
    "no",
    "The path is not a workspace path",
    "Use /Notebook/Folder/Document",
  ),
  ambiguous_path: define(
    "ambiguous_path",
    usage,
    "no",
    "More than one note fits the path",
    "Use an id, or a path that only one note has",
  ),
  block_not_found: define(
    "not_found",
    error,
    "no",
    "No live block has this id",
    "Read the document again and use an id it lists",
  ),
  document_not_found: define(
    "not_found",
    error,
    "no",
    "No live document fits",
    "List the parent and use a path or id it shows",
  ),
  notebook_not_found: define("not_found", error, "no", "No notebook has this id or name", "Use notebook list"),
  notebook_closed: define("not_found", error, "no", "The notebook is closed or locked", "Open it in SiYuan first"),
  not_a_block: define(
    "validation_error",
    usage,
    "no",
    "The id names a document where a block is meant",
    "Use a block inside the document",
  ),
  not_a_document: define(
    "validation_error",
    usage,
    "no",
    "The id names a block where a document is meant",
    "Use the id of the document that holds the block",
  ),
  several_blocks: define(
    "validation_error",
    usage,
    "no",
    "The content needs several blocks, an update keeps only one",
    "Update with the first block, then block insert or append the rest",
  ),
  content_would_be_lost: define(
    "validation_error",
    usage,
    "no",
    "SiYuan would silently drop part of this content",
    "Change the named part",
  ),
  complex_blocks_not_supported_by_fs: define(
    "complex_blocks_not_supported_by_fs",
    usage,
    "no",
    "The document holds blocks that Markdown cannot carry, and overwriting would delete them",
    "Change single blocks with block update or fs replace, or remove these blocks first",
  ),
  structured_assets_overwrite_rejected: define(
    "structured_assets_overwrite_rejected",
    usage,
    "no",
    "The document holds blocks with attributes or inbound references, and overwriting would delete them",
    "Change single blocks with block update or fs replace, which keep ids and attributes",
  ),
  missing_reference: define(
    "validation_error",
    usage,
    "no",
    "The content refers to a block that does not exist or is closed",
    "Correct or remove the reference; SiYuan would empty it",
  ),
  nesting_too_deep: define(
    "validation_error",
    usage,
    "no",
    "The content is nested so deeply that SiYuan stalls",
    "Flatten it",
  ),
  api_error: define("api_error", error, "no", "SiYuan refused a request", "Read the message; correct the call"),
  kernel_unreachable: define(
    "api_error",
    unavailable,
    "no",
    "SiYuan did not answer",
    "Start SiYuan or correct SIYUAN_API_URL",
  ),
  host_token_rejected: define(
    "api_error",
    authentication,
    "no",
    "SiYuan no longer accepts the plugin's own token",
    "Disable and enable the plugin once, or store the API token as the SiYuan secret SISYPHUS_SIYUAN_TOKEN",
  ),
  authentication_failed: define(
    "authentication_error",
    authentication,
    "no",
    "SiYuan does not accept this API token",
    "Copy the token from SiYuan's Settings, About, API token (SIYUAN_TOKEN, --token or the profile)",
  ),
  token_required: define(
    "authentication_error",
    authentication,
    "no",
    "SiYuan asks for a credential and no API token was given",
    "Copy the token from SiYuan's Settings, About, API token (SIYUAN_TOKEN, --token or the profile)",
  ),
  plugin_missing: define(
    "api_error",
    unavailable,
    "no",
    "This SiYuan runs without the plugin",
    "Install the plugin siyuan-plugins-mcp-sisyphus in SiYuan and enable it",
  ),
  plugin_not_running: define(
    "api_error",
    unavailable,
    "no",
    "The plugin is enabled, but its kernel part is not running",
    "Try again in a moment; if it stays so, disable and enable the plugin and read SiYuan's log",
  ),
  publish_port: define(
    "api_error",
    unavailable,
    "no",
    "This is SiYuan's publish service, which serves no plugins",
    "Use the address of SiYuan itself, by default http://127.0.0.1:6806",
  ),
  unexpected_answer: define(
    "api_error",
    unavailable,
    "no",
    "What answers at this address is not SiYuan with this plugin",
    "Correct SIYUAN_API_URL: only scheme, host and port of SiYuan",
  ),
  answer_lost: define(
    "api_error",
    unavailable,
    "no",
    "The answer to a call that changes nothing was lost",
    "Send it again",
  ),
  read_only: define("api_error", permission, "no", "SiYuan runs in read-only mode", "Start SiYuan without --readonly"),
  internal_error: define("internal_error", error, "no", "A defect in this product", "Report it with the log line"),
  precondition_required: define(
    "precondition_required",
    conflict,
    "no",
    "The request id or the required hash is absent",
    "Call again with validateOnly=true and copy its requestId and hash; never invent them",
  ),
  preflight_lease_invalid: define(
    "preflight_lease_invalid",
    conflict,
    "no",
    "The preflight is missing, expired, evicted, used up or belongs to an earlier run; this does not say that the id was never executed",
    "Run the same validateOnly call again",
  ),
  invalid_request_id: define(
    "invalid_request_id",
    conflict,
    "no",
    "The request id was never issued in this form",
    "Copy the requestId of a preflight unchanged",
  ),
  state_changed: define(
    "state_changed",
    conflict,
    "no",
    "The target changed after the preflight",
    "Read it again before deciding to write",
  ),
  idempotency_conflict: define(
    "idempotency_conflict",
    conflict,
    "no",
    "The request id was used with other arguments",
    "Run a new preflight for the new arguments",
  ),
  request_running: define(
    "request_running",
    conflict,
    "no",
    "The same request id is being executed right now",
    "Wait, then send the same request again",
  ),
  outcome_unknown: define(
    "outcome_unknown",
    unknownOutcome,
    "unknown",
    "The answer was lost after execution began",
    "Do not retry with a new id; inspect the target",
  ),
  state_unchanged: define(
    "state_unchanged",
    conflict,
    "unknown",
    "The notes hold what they held before this write: it never took effect, or was undone since",
    "Run a new preflight to write",
  ),
  write_outcome_open: define(
    "write_outcome_open",
    conflict,
    "no",
    "An earlier write to the same place was never answered and may still run",
    "Send that earlier call again with its own requestId, which settles it as soon as its effect can be read, or restart SiYuan",
  ),
  strict_mode_disabled: define(
    "strict_mode_disabled",
    conflict,
    "no",
    "Strict writes are switched off, so there is no preflight",
    "Send the call without validateOnly, requestId and hash; it is executed at once",
  ),
  readback_mismatch: define(
    "readback_mismatch",
    unknownOutcome,
    "unknown",
    "What SiYuan holds now is not what was asked",
    "Treat the outcome as unknown and inspect the target",
  ),
  write_coordinator_unavailable: define(
    "write_coordinator_unavailable",
    unavailable,
    "no",
    "The write coordinator cannot be reached",
    "Start SiYuan with the plugin enabled, then preflight again",
  ),
  write_coordinator_changed: define(
    "write_coordinator_changed",
    unavailable,
    "no",
    "Another instance of the coordinator owns this workspace now",
    "Restart the plugin, then preflight again",
  ),
  write_ledger_unavailable: define(
    "write_ledger_unavailable",
    error,
    "no",
    "The write ledger could not be written",
    "Free disk space, then preflight again",
  ),
  preflight_unavailable: define(
    "preflight_unavailable",
    usage,
    "no",
    "The action is an external side effect that cannot be read back",
    "Call it with business arguments only",
  ),
  entropy_unavailable: define(
    "entropy_unavailable",
    error,
    "no",
    "The host offers no real randomness, so no credential can be issued",
    "Update SiYuan, or restore its template route",
  ),
  dangerous_action_requires_confirmation: define(
    "dangerous_action_requires_confirmation",
    usage,
    "no",
    "The action is dangerous and the user has not confirmed it",
    "Tell the user what will happen, ask, and call again with confirm=true",
  ),
  confirmation_unavailable: define(
    "confirmation_unavailable",
    permission,
    "no",
    "The action is dangerous and needs a confirmation dialog, which this version does not offer yet",
    "Run it with the command line siyuan-sisyphus, or through an older MCP client with confirm=true",
  ),
  queue_full: define("queue_full", unavailable, "no", "Too many calls are in flight", "Try again in a moment"),
  request_cancelled: define(
    "request_cancelled",
    error,
    "no",
    "The call was cancelled before it started",
    "Send it again if it is still wanted",
  ),
  deadline_exceeded: define(
    "deadline_exceeded",
    unavailable,
    "no",
    "The call waited too long before it could start",
    "Send it again",
  ),
  plugin_stopping: define(
    "plugin_stopping",
    unavailable,
    "no",
    "The plugin is being stopped or reloaded",
    "Send it again in a moment",
  ),
  untrusted_origin: define(
    "untrusted_origin",
    authentication,
    "no",
    "The request comes from a web page that is not trusted",
    "Call from this machine",
  ),
  request_too_large: define("validation_error", usage, "no", "The request is too large", "Split it"),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

/** One offending field: its path in the arguments, and what is wrong with it. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** Facts that go with an error on the wire. No note text. */
export interface ErrorDetails {
  readonly fields?: readonly FieldProblem[];
  readonly hint?: string;
  readonly requestId?: string;
  /** The earlier write that stands in the way. */
  readonly openRequestId?: string;
  readonly expectedField?: string;
  readonly expectedHash?: string;
  readonly currentHash?: string;
  readonly validTopics?: readonly string[];
  readonly notebook?: string;
  readonly currentPermission?: string;
  readonly requiredPermission?: string;
  readonly createdIds?: readonly string[];
  /** How far a write of several steps got. */
  readonly steps?: readonly { readonly name: string; readonly state: "done" | "absent" | "unclear" | "never sent" }[];
  /** The blocks that stand in the way, the first of them. */
  readonly blocks?: readonly { readonly id: string; readonly reason: string }[];
  /** The exact obstacle, where `code` names only the family: why the write coordinator is unavailable. */
  readonly reason?: ErrorCode;
}

/** The only error class that crosses module borders. Raised with a code of the table, never with a free one. */
export class SisyphusError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    super(message ?? errorTable[code].cause);
    this.name = "SisyphusError";
    this.code = code;
    this.details = details;
  }
}

/** True for a wire code of the table. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.prototype.hasOwnProperty.call(errorTable, value);
}
