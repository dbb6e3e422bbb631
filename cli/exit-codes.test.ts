// Starts a process for every exit code, against a small server that answers as the plugin would.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../shared/errors.js";
import { bundle, type Program, runProgram } from "../node-bridge/testing/bundle.js";
import {
  type FakeReply,
  type FakeSiyuan,
  freePort,
  type ReceivedRequest,
  refusalReply,
  startFakeSiyuan,
  toolArguments,
  toolReply,
} from "../node-bridge/testing/fake-siyuan.js";

const id = "20260812120000-abcdefg";
const update = ["block", "update", "--id", id, "--data-type", "markdown", "--data", "- 买菜"];

let program: Program;
let siyuan: FakeSiyuan | undefined;

beforeAll(async () => {
  program = await bundle("cli/main.ts");
});
afterAll(() => program.remove());
afterEach(async () => {
  await siyuan?.close();
  siyuan = undefined;
});

async function run(
  args: readonly string[],
  reply: (request: ReceivedRequest) => FakeReply,
  env: Record<string, string> = {},
) {
  siyuan = await startFakeSiyuan(reply);
  return runProgram(program, args, { env: { SIYUAN_API_URL: siyuan.url, ...env } });
}

const isPreflight = (request: ReceivedRequest) => toolArguments(request.body).validateOnly === true;

function issue(request: ReceivedRequest): FakeReply {
  return toolReply(request, {
    action: "update",
    validateOnly: true,
    writeAttempted: false,
    requestId: "1a2b",
    requestIdExpiresAt: 1_800_000_000_000,
    preconditionField: "expectedStateHash",
    expectedStateHash: "sha256:v1:c0de",
    leaseExpiresAt: 1_800_000_000_000,
    targetCount: 1,
    preview: "-old\n+- 买菜",
  });
}

const commitsWith = (commit: (request: ReceivedRequest) => FakeReply) => (request: ReceivedRequest) =>
  isPreflight(request) ? issue(request) : commit(request);

const committed = commitsWith((request) =>
  toolReply(request, {
    success: true,
    id,
    safety: {
      requestId: "1a2b",
      transactionState: "committed",
      replayed: false,
      previousHash: "sha256:v1:aaaa",
      resultHash: "sha256:v1:bbbb",
    },
  }),
);

describe("exit 0", () => {
  it("a read prints a table, or one line with --json", async () => {
    const rows = (request: ReceivedRequest) =>
      toolReply(request, { path: "/", items: [{ name: "工作", path: "/工作", children: 2 }] });
    const human = await run(["fs", "ls", "/"], rows);
    expect(human).toMatchObject({ code: exitCodes.done, stderr: "" });
    expect(human.stdout).toContain("工作");
    await siyuan?.close();
    const json = await run(["fs", "ls", "/", "--json"], rows);
    expect(json.stdout).toBe('{"path":"/","items":[{"name":"工作","path":"/工作","children":2}]}\n');
  });

  it("a write runs preflight and commit and prints the receipt", async () => {
    const result = await run(update, committed);
    expect(result).toMatchObject({ code: exitCodes.done, stderr: "" });
    expect(result.stdout).toContain("Committed: block update");
    expect(result.stdout).toContain("1a2b");
    expect(siyuan?.calls).toEqual([
      { action: "update", id, dataType: "markdown", data: "- 买菜", validateOnly: true },
      {
        action: "update",
        id,
        dataType: "markdown",
        data: "- 买菜",
        requestId: "1a2b",
        expectedStateHash: "sha256:v1:c0de",
      },
    ]);
  });

  it("a dry run sends only the preflight and says how to commit it", async () => {
    const result = await run([...update, "--dry-run", "--token", "secret-token"], committed);
    expect(result.code).toBe(exitCodes.done);
    expect(siyuan?.calls).toHaveLength(1);
    expect(result.stdout).toContain("+- 买菜");
    expect(result.stdout).toContain("--request-id 1a2b --expected-state-hash sha256:v1:c0de");
    expect(result.stdout).not.toContain("secret-token");
  });

  it("a request id with its hash commits an earlier preflight", async () => {
    const result = await run([...update, "--request-id", "1a2b", "--expectedStateHash", "c0de"], committed);
    expect(result.code).toBe(exitCodes.done);
    expect(siyuan?.calls).toEqual([
      { action: "update", id, dataType: "markdown", data: "- 买菜", requestId: "1a2b", expectedStateHash: "c0de" },
    ]);
  });

  it("--version and --help need no SiYuan", async () => {
    expect(await runProgram(program, ["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await runProgram(program, ["block", "update", "--help"])).stdout).toContain("--expected-state-hash");
  });
});

describe("exit 1: an error of the call", () => {
  it.each(["block_not_found", "write_ledger_unavailable", "a_code_from_the_future"])("%s", async (code) => {
    const result = await run(["block", "get_kramdown", id], (request) => refusalReply(request, code));
    expect(result).toMatchObject({ code: exitCodes.error, stdout: "" });
    expect(result.stderr).toContain(code);
  });
});

describe("exit 2: usage, and nothing is sent", () => {
  it.each([
    ["an unknown tool", ["blok", "update"], "did you mean block?"],
    ["an unknown action", ["block", "updat"], "did you mean update?"],
    ["an unknown flag", [...update, "--dat", "x"], "did you mean --data?"],
    ["an extra argument", ["fs", "ls", "/", "/more"], "unexpected argument"],
    ["a missing field", ["block", "update", "--id", id], "--data"],
    ["a bad id", ["block", "get_kramdown", "nonsense"], "--id"],
    ["a number that is none", ["fs", "read", "/A", "--block-start", "x"], "whole number"],
    ["a flag without its value", ["block", "update", "--data"], "needs a value"],
    ["a hash without its id", [...update, "--expected-state-hash", "c0de"], "--request-id"],
    ["a dry run with an id", [...update, "--dry-run", "--request-id", "1a2b"], "exclude each other"],
    ["an unknown source", ["block", "update", "--id", id, "--data-type", "markdown", "--data", "@someone"], "@@"],
    ["an unknown profile", ["fs", "ls", "/", "--profile", "nowhere"], "there is no profile nowhere"],
    ["an address that is none", ["fs", "ls", "/", "--url", "127.0.0.1:6806"], "--url"],
  ])("%s", async (_, args, expected) => {
    const result = await run(args, committed);
    expect(result).toMatchObject({ code: exitCodes.usage, stdout: "" });
    expect(result.stderr).toContain(expected);
    expect(siyuan?.requests).toEqual([]);
  });

  it("a bad SIYUAN_API_URL is named", async () => {
    const result = await runProgram(program, ["fs", "ls", "/"], { env: { SIYUAN_API_URL: "siyuan" } });
    expect(result.code).toBe(exitCodes.usage);
    expect(result.stderr).toContain("SIYUAN_API_URL");
  });

  it("with --json the error is one object on stderr", async () => {
    const result = await run(["fs", "ls", "/", "--nope", "--json"], committed);
    expect(JSON.parse(result.stderr)).toMatchObject({ success: false, error: { code: "invalid_arguments" } });
  });
});

describe("exit 3: the coordinator is unavailable", () => {
  it("SiYuan is not running", async () => {
    const env = { SIYUAN_API_URL: `http://127.0.0.1:${await freePort()}` };
    const read = await runProgram(program, ["fs", "ls", "/"], { env });
    expect(read.code).toBe(exitCodes.unavailable);
    expect(read.stderr).toContain("kernel_unreachable: SiYuan is not running");
    const write = await runProgram(program, [...update, "--json"], { env });
    expect(write.code).toBe(exitCodes.unavailable);
    expect(JSON.parse(write.stderr)).toMatchObject({
      success: false,
      transactionState: "rejected",
      error: { code: "write_coordinator_unavailable", reason: "kernel_unreachable" },
    });
  });

  it("SiYuan runs without the plugin", async () => {
    const result = await run(["fs", "ls", "/"], () => ({
      status: 404,
      body: "[plugin:siyuan-plugins-mcp-sisyphus] not found",
    }));
    expect(result.code).toBe(exitCodes.unavailable);
    expect(result.stderr).toContain("plugin_missing");
  });
});

describe("exit 4: authentication", () => {
  const refuse = (): FakeReply => ({ status: 401, body: '{"code":-1,"msg":"Auth failed [session]"}' });

  it("no token", async () => {
    const result = await run(["fs", "ls", "/"], refuse);
    expect(result.code).toBe(exitCodes.authentication);
    expect(result.stderr).toContain("token_required");
  });

  it("a wrong token, which is never shown", async () => {
    const result = await run(["fs", "ls", "/"], refuse, { SIYUAN_TOKEN: "wrong-token-0123" });
    expect(result.code).toBe(exitCodes.authentication);
    expect(result.stderr).toContain("authentication_failed");
    expect(result.stderr).not.toContain("wrong-token");
    expect(siyuan?.requests[0]?.headers.authorization).toBe("Token wrong-token-0123");
  });
});

it("exit 5: permission", async () => {
  const result = await run(update, (request) => refusalReply(request, "permission_denied"));
  expect(result.code).toBe(exitCodes.permission);
  expect(siyuan?.calls).toHaveLength(1);
});

it("exit 6: conflict", async () => {
  const result = await run(
    update,
    commitsWith((request) => refusalReply(request, "state_changed")),
  );
  expect(result.code).toBe(exitCodes.conflict);
  expect(result.stderr).toContain("Nothing was executed");
});

describe("exit 7: the outcome is unknown", () => {
  it("the answer to a commit is lost, and the commit is not sent again", async () => {
    const result = await run(
      [...update, "--json"],
      commitsWith(() => "reset"),
    );
    expect(result.code).toBe(exitCodes.unknownOutcome);
    expect(siyuan?.calls).toHaveLength(2);
    const { error, transactionState } = JSON.parse(result.stderr) as {
      error: Record<string, string>;
      transactionState: string;
    };
    expect(transactionState).toBe("unknown");
    expect(error).toMatchObject({ code: "outcome_unknown", requestId: "1a2b" });
    expect(error.hint).toContain("--request-id 1a2b --expected-state-hash sha256:v1:c0de");
  });

  it("the coordinator itself cannot tell", async () => {
    const result = await run(
      update,
      commitsWith((request) => refusalReply(request, "readback_mismatch", "unknown")),
    );
    expect(result.code).toBe(exitCodes.unknownOutcome);
  });

  it("the answer to a preflight is lost: nothing is unknown", async () => {
    const result = await run(update, () => "reset");
    expect(result.code).toBe(exitCodes.unavailable);
    expect(result.stderr).toContain("answer_lost");
  });
});

describe.skipIf(process.platform === "win32")("exit 130: interrupted", () => {
  async function interrupt(phase: "preflight" | "commit") {
    let kill: (signal: NodeJS.Signals) => void = () => {};
    siyuan = await startFakeSiyuan((request) => {
      if (phase === "commit" && isPreflight(request)) return issue(request);
      kill("SIGINT");
      return "hang";
    });
    return runProgram(program, update, { env: { SIYUAN_API_URL: siyuan.url }, started: (send) => (kill = send) });
  }

  it("before the commit: nothing was executed", async () => {
    const result = await interrupt("preflight");
    expect(result.code).toBe(exitCodes.interrupted);
    expect(result.stderr).toContain("nothing was executed");
  });

  it("after the commit was sent: unknown, with the way to learn it", async () => {
    const result = await interrupt("commit");
    expect(result.code).toBe(exitCodes.interrupted);
    expect(result.stderr).toContain("after the commit had been sent");
    expect(result.stderr).toContain("--request-id 1a2b");
  });
});
