// `npm run guards`: takes away each guard of the write path in a copy of the tree and runs the test that must notice.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Guard, guards } from "./guards.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workers = 2;

interface TestResult {
  readonly fullName: string;
  readonly status: string;
}

/** A copy of the tree that may be broken; the installed packages are shared. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "guards-"));
  const listed = spawnSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "kernel", "shared", "vitest.config.ts", "tests/tiers"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const files = listed.stdout.split("\n").filter((file) => file !== "");
  for (const file of [...files, "shared/surface/generated", "package.json"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Runs test files in the copy; undefined when they could not even be loaded. */
async function run(folder: string, tests: readonly string[]): Promise<readonly TestResult[] | undefined> {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const args = ["vitest", "run", "--project", "unit", "--reporter=json", `--outputFile=${report}`, ...tests];
  await new Promise((resolve) => {
    spawn("npx", args, { cwd: folder, stdio: "ignore" }).on("close", resolve);
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { assertionResults: TestResult[] }[];
    };
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  } catch {
    return undefined;
  }
}

/** What is wrong with the guard's test; undefined when it bites. */
async function problemOf({ file, source, broken, tests, bites }: Guard, folder: string): Promise<string | undefined> {
  const path = join(folder, file);
  const whole = readFileSync(path, "utf8");
  if (whole.split(source).length !== 2) return `its source stands ${whole.split(source).length - 1} times in ${file}`;
  try {
    writeFileSync(
      path,
      whole.replace(source, () => broken),
    );
    const results = await run(folder, tests);
    if (!results || results.length === 0) return "the tests could not be run";
    const failed = results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    if (process.env.GUARDS_LIST)
      console.log(
        failed
          .slice(0, 8)
          .map((name) => `      ${name}`)
          .join("\n"),
      );
    return failed.some((name) => name.includes(bites)) ? undefined : `"${bites}" did not fail`;
  } finally {
    writeFileSync(path, whole);
  }
}

const started = Date.now();
/** `npm run guards -- I-20` takes those only whose name holds the text. */
const chosen = guards.filter(({ name }) => name.includes(process.argv[2] ?? ""));
const queue = chosen.map((guard, index) => ({ guard, index }));
const problems: (string | undefined)[] = [];
await Promise.all(
  Array.from({ length: workers }, async () => {
    const folder = copyTree();
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const problem = await problemOf(next.guard, folder);
        problems[next.index] = problem;
        console.log(
          `${problem === undefined ? "bites   " : "NO BITE "} ${next.guard.name}${problem ? `: ${problem}` : ""}`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }),
);
const biting = chosen.filter((_guard, index) => problems[index] === undefined).length;
console.log(`${biting} of ${chosen.length} guards bite, in ${Math.round((Date.now() - started) / 1_000)} s`);
process.exitCode = biting === chosen.length ? 0 : 1;
