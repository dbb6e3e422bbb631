// `node scripts/docs-errors.mjs`: writes docs/ERRORS.md from the table in shared/errors.ts. With --check it only compares.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeWhole } from "./atomic-file.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}docs/ERRORS.md`;

/** Title of each exit code, in the order of the page. */
const titles = {
  done: "done",
  error: "error",
  usage: "the call is wrong",
  unavailable: "SiYuan or the coordinator is unavailable",
  authentication: "authentication",
  permission: "permission",
  conflict: "conflict: the preflight does not fit",
  unknownOutcome: "unknown outcome",
  interrupted: "interrupted",
};

async function loadTable() {
  const { outputFiles } = await build({
    entryPoints: [`${root}shared/errors.ts`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const cell = (text) => text.replaceAll("|", "\\|");

function page({ errorTable, exitCodes }) {
  const sections = Object.entries(exitCodes).flatMap(([name, exit]) => {
    const codes = Object.entries(errorTable).filter(([, entry]) => entry.exit === exit);
    if (codes.length === 0) return [];
    const rows = codes.map(
      ([code, { type, cause, executed, next }]) =>
        `| \`${code}\` | \`${type}\` | ${cell(cause)} | ${executed} | ${cell(next)} |`,
    );
    const heading = `## Exit code ${exit}: ${titles[name]}`;
    return [heading, "", "| code | type | meaning | executed | what to do |", "|---|---|---|---|---|", ...rows, ""];
  });
  const { done, interrupted } = exitCodes;
  return [
    "# Errors",
    "",
    "<!-- Written by scripts/docs-errors.mjs from shared/errors.ts. Do not edit. -->",
    "",
    "Every refusal carries `error.code`, `error.type`, `error.message` and `error.next`. A refused write also has `transactionState`:",
    "`rejected` where nothing was executed, `unknown` where SiYuan may have received it. The command line ends with the exit code of the",
    `section; ${done} is done, ${interrupted} is interrupted, and 7 wherever \`transactionState\` is \`unknown\`.`,
    "",
    ...sections,
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

const text = page(await loadTable());
if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error("docs/ERRORS.md is not what shared/errors.ts says; run: node scripts/docs-errors.mjs");
    process.exitCode = 1;
  }
} else {
  await writeWhole(target, text);
}
