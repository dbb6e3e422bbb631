// `<tool> <action>`: a read is one call; a write is preflight and commit, or one of the two.

import type { ActionDeclaration } from "../../shared/catalogue/declaration.js";
import { businessArguments, parseInput } from "../../shared/catalogue/parse.js";
import { exitCodes, SisyphusError } from "../../shared/errors.js";
import { schemas } from "../../shared/surface/generated/schemas.js";
import { isJsonObject, type JsonObject } from "../../shared/wire/json.js";
import { CoordinatorClient, type ToolAnswer } from "../../node-bridge/coordinator/client.js";
import { RpcError } from "../../node-bridge/coordinator/answers.js";
import { refusal } from "../../node-bridge/coordinator/refusal.js";
import type { CallPurpose } from "../../node-bridge/coordinator/purpose.js";
import { version } from "../../node-bridge/version.js";
import { resolveConnection } from "../connection.js";
import { exitCodeOf } from "../exit-code.js";
import { actionSpec, dryRunFlag, hashFlag, readArguments, requestIdFlag } from "../flags/action-flags.js";
import { connectionFlags } from "../flags/connection-flags.js";
import { helpText, type ParsedFlags, parseFlags } from "../flags/parser.js";
import { ValueSources } from "../flags/values.js";
import { Interruption } from "../interruption.js";
import { errorText } from "../output/error-text.js";
import { dryRun, receipt } from "../output/receipt.js";
import { humanRead } from "../output/read-answer.js";
import { repeatCommand } from "../repeat-command.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage.js";
import { commit, type Credentials, credentialFlags, issuedCredentials, preflight, writeDirectly } from "../write.js";

interface Invocation {
  readonly action: ActionDeclaration;
  readonly args: JsonObject;
  readonly parsed: ParsedFlags;
  readonly terminal: Terminal;
  /** The command as typed, for messages that say how to go on. */
  readonly typed: readonly string[];
}

export async function runAction(
  action: ActionDeclaration,
  words: readonly string[],
  typed: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const schema = schemas[`${action.tool}.${action.name}`];
  if (!schema)
    throw new SisyphusError("internal_error", `the schema of ${action.tool}.${action.name} is missing in this build`);
  const spec = actionSpec(action, schema);
  const parsed = parseFlags(spec, words);
  if (parsed.help) {
    process.stdout.write(`${await helpText(spec)}\n`);
    return exitCodes.done;
  }
  const sources = new ValueSources();
  const args = readArguments(action, schema, parsed, sources);
  validate(action, args);
  const credentials = givenCredentials(action, parsed);
  const connection = resolveConnection(connectionFlags(parsed, sources), process.env, (message) =>
    terminal.notice(message),
  );
  if (parsed.switches.get("debug"))
    terminal.notice(
      `debug: ${connection.address.display} from ${connection.source}, ${connection.token ? "with" : "without"} a token`,
    );

  const client = new CoordinatorClient({
    address: connection.address,
    ...(connection.token !== undefined && { token: connection.token }),
    client: { name: "siyuan-sisyphus", version },
    connectRetries: 0,
    notify: (message) => terminal.notice(message),
  });
  const interruption = new Interruption(terminal);
  const invocation = { action, args: { action: action.name, ...args }, parsed, terminal, typed };
  try {
    return action.class.kind === "read"
      ? await readNotes(client, invocation)
      : await writeNotes(client, invocation, credentials, interruption);
  } finally {
    interruption.end();
    client.close();
  }
}

/** The kernel checks again; checking here costs nothing and sends nothing. */
function validate(action: ActionDeclaration, args: JsonObject): void {
  try {
    parseInput(action, businessArguments(args));
  } catch (error) {
    if (!(error instanceof SisyphusError)) throw error;
    throw usageError(
      `the arguments of ${action.tool} ${action.name} do not fit`,
      `See siyuan-sisyphus ${action.tool} ${action.name} --help`,
      error.details.fields,
    );
  }
}

function givenCredentials(action: ActionDeclaration, parsed: ParsedFlags): Credentials | undefined {
  const one = (flag: string) => {
    const values = parsed.values.get(flag);
    if (values && values.length > 1) throw usageError(`--${flag} is given more than once`);
    return values?.[0];
  };
  const requestId = one(requestIdFlag);
  const hash = hashFlag(action);
  const value = hash && one(hash.flag);
  if (requestId === undefined) {
    if (value !== undefined)
      throw usageError(`--${hash?.flag} belongs to --${requestIdFlag}`, "Copy both from the dry run");
    return undefined;
  }
  if (parsed.switches.get(dryRunFlag))
    throw usageError(
      `--${dryRunFlag} and --${requestIdFlag} exclude each other`,
      "The id commits; a dry run never does",
    );
  return { requestId, ...(hash && value !== undefined && { hash: { field: hash.field, value } }) };
}

async function readNotes(client: CoordinatorClient, { action, args, terminal }: Invocation): Promise<number> {
  const answer = await attempt(action, "read", () => client.call(action.tool, args, { purpose: "read" }));
  if (answer.isError) return refuse(answer.structured, terminal);
  const human = terminal.json ? undefined : humanRead(answer.structured);
  await terminal.data(answer.structured, () => human?.text ?? "");
  for (const note of human?.notes ?? []) terminal.notice(note);
  return exitCodes.done;
}

async function writeNotes(
  client: CoordinatorClient,
  { action, args, parsed, terminal, typed }: Invocation,
  given: Credentials | undefined,
  interruption: Interruption,
): Promise<number> {
  const command = `${action.tool} ${action.name}`;
  let credentials = given;
  if (!credentials) {
    const checked = await attempt(action, "preflight", () => preflight(client, action.tool, args));
    if (isStrictModeOff(checked) && !parsed.switches.get(dryRunFlag)) {
      terminal.notice("strict writes are switched off: nothing guards this write against edits made meanwhile");
      const written = await attempt(action, "commit", () => writeDirectly(client, action.tool, args));
      if (written.isError) return refuse(written.structured, terminal);
      await terminal.data(written.structured, () => receipt(command, written.structured));
      return exitCodes.done;
    }
    if (checked.isError) return refuse(checked.structured, terminal);
    credentials = issuedCredentials(checked.structured);
    if (parsed.switches.get(dryRunFlag)) {
      const next = repeatCommand(typed, credentialFlags(credentials));
      await terminal.data(checked.structured, () => dryRun(command, checked.structured, next));
      return exitCodes.done;
    }
  }
  const retry = repeatCommand(typed, credentialFlags(credentials));
  const observer = { commitSent: ({ requestId }: Credentials) => interruption.commitSent(requestId, retry) };
  const chosen = credentials;
  const answer = await attempt(action, "commit", () => commit(client, action.tool, args, chosen, observer));
  if (answer.isError) return refuse(withRetry(answer.structured, retry), terminal);
  await terminal.data(answer.structured, () => receipt(command, answer.structured));
  return exitCodes.done;
}

function isStrictModeOff({ isError, structured }: ToolAnswer): boolean {
  return isError && isJsonObject(structured.error) && structured.error.code === "strict_mode_disabled";
}

/** A call's own failures in the form of a refusal. */
async function attempt(
  action: ActionDeclaration,
  purpose: CallPurpose,
  call: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  try {
    return await call();
  } catch (error) {
    const known =
      error instanceof RpcError
        ? new SisyphusError(
            "internal_error",
            `The plugin refused the request itself: ${error.message} (${error.rpcCode})`,
            {
              hint: "The plugin and this program are probably of different versions; update both",
            },
          )
        : error;
    if (!(known instanceof SisyphusError)) throw known;
    return {
      result: {},
      structured: refusal(known, { tool: action.tool, action: action.name, purpose }),
      isError: true,
    };
  }
}

/** How to learn an unknown outcome without writing twice. */
function withRetry(structured: JsonObject, retry: string): JsonObject {
  if (structured.transactionState !== "unknown") return structured;
  const error = structured.error as JsonObject;
  return {
    ...structured,
    error: {
      ...error,
      hint: `Do not write again with a new id. This asks for the same write and never executes it twice: ${retry}`,
    },
  };
}

function refuse(structured: JsonObject, terminal: Terminal): number {
  terminal.failure(structured, errorText(structured));
  return exitCodeOf(structured);
}
