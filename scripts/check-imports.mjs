// Checks what Biome cannot express: the import table of boundaries.mjs, unresolved imports, and Math.random in the kernel.
// Usage: node scripts/check-imports.mjs [root]. Prints one line per violation and exits 1 when there is one.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { allowed, layerOf, nodeLayers } from "./boundaries.mjs";

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const topFolders = ["shared", "kernel", "node-bridge", "cli", "console"];

function sources() {
  return topFolders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true })
          .map((name) => join(folder, name).split(sep).join("/"))
          .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("/testing/"))
      : [],
  );
}

/** Every import and re-export of a file, with whether it leaves a trace at run time. */
function importsOf(source) {
  const found = [];
  const add = (node, specifier, typesOnly) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    found.push({
      specifier: specifier.text,
      typesOnly,
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypesOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node, node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypesOnly(clause) {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  return (
    !name &&
    !!namedBindings &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function problemOf(path, { specifier, typesOnly }) {
  const layer = layerOf(path);
  const rules = allowed[layer];
  if (specifier.startsWith(".")) {
    const target = relative(root, resolve(root, dirname(path), specifier))
      .split(sep)
      .join("/")
      .replace(/\.js$/, ".ts");
    if (target.endsWith(".json")) return nodeLayers.includes(layer) ? undefined : `${layer} may not import ${target}`;
    const targetLayer = layerOf(target);
    // The baked schemas do not exist before the first build.
    if (!existsSync(join(root, target)) && !target.includes("/generated/")) return `${specifier} does not exist`;
    if (targetLayer === layer) return undefined;
    const permission = targetLayer === undefined ? undefined : rules[targetLayer];
    if (permission === "values" || (permission === "types" && typesOnly)) return undefined;
    return `${layer} may ${permission === "types" ? "import only types of" : "not import"} ${targetLayer ?? target}`;
  }
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
    return nodeLayers.includes(layer) ? undefined : `${layer} does not run in Node and may not import ${specifier}`;
  }
  const isAllowed =
    rules.npm || Object.keys(rules).some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isAllowed ? undefined : `${layer} may not import the package ${specifier}`;
}

function usesRandom(source) {
  const lines = [];
  const visit = (node) => {
    const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
    if (isMember && /^Math\s*(\.|\[\s*["'])\s*random/.test(node.getText(source))) {
      lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

const problems = [];
for (const path of sources()) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true);
  for (const found of importsOf(source)) {
    const problem = problemOf(path, found);
    if (problem) problems.push(`${path}:${found.line} ${problem}`);
  }
  if (/^(kernel|shared)\//.test(path)) {
    for (const line of usesRandom(source))
      problems.push(`${path}:${line} Math.random can be guessed: receive Host.entropy`);
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
