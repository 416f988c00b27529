// Prints figures of the source: its size, how files depend on each other, the share of helpers in the tests, the words of the
// documents, and the files that run for one limited order and for one bet. Nothing fails by it. Needs a build: `npm run house` makes one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

function filesIn(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(root, folder, file));
}

/** The files of this project that a file imports. */
function importsOf(tree) {
  return tree.statements
    .filter((node) => (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
    .map((node) => node.moduleSpecifier.text)
    .filter((path) => path.startsWith('.'))
    .map((path) => resolve(dirname(tree.fileName), path).replace(/\.js$/, ''))
    .map((path) => [`${path}.ts`, `${path}.tsx`].find((file) => existsSync(file)));
}

/** How many spreads in a literal spread another literal. */
function literalSpreads(tree) {
  let found = 0;
  const visit = (node) => {
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) found += 1;
    if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)) found += 1;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function linesOfImports(tree) {
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line;
  return tree.statements
    .filter(ts.isImportDeclaration)
    .reduce((sum, node) => sum + lineOf(node.getEnd()) - lineOf(node.getStart(tree)) + 1, 0);
}

function ofSource() {
  const trees = filesIn('src', /\.tsx?$/).map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  const importers = new Map();
  for (const tree of trees)
    for (const file of new Set(importsOf(tree))) importers.set(file, [...(importers.get(file) ?? []), tree.fileName]);
  const lines = trees.reduce((sum, tree) => sum + tree.text.split('\n').length - 1, 0);
  const imports = trees.reduce((sum, tree) => sum + linesOfImports(tree), 0);
  const alone = trees.filter(({ fileName }) => {
    const by = importers.get(fileName) ?? [];
    return by.length === 1 && dirname(by[0]) === dirname(fileName);
  });
  return {
    'files of src': trees.length,
    'lines of src': lines,
    'lines that are imports': `${((100 * imports) / lines).toFixed(1)} %`,
    'files whose only importer lies in their folder': alone.length,
    'literal spreads': trees.reduce((sum, tree) => sum + literalSpreads(tree), 0),
  };
}

/** How many words the documents have: what has a letter or a digit, without the bars and rules of tables, or signs that stand alone. */
function ofDocuments() {
  const words = (file) =>
    readFileSync(file, 'utf8')
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const pages = filesIn('docs', /^[^/]+\.md$/);
  return {
    'words of docs/, without bars and rules of tables': pages.reduce((sum, file) => sum + words(file), 0),
    'pages of docs/': pages.length,
    'words of README.md': words(join(root, 'README.md')),
  };
}

/**
 * How much of the tests helps other tests: the lines of files without a test. The stories of the record and the faults that are planted for
 * it are none of them: they say what has to stay as it is, and are compared and run one by one.
 */
function ofTests() {
  const files = filesIn('test', /\.tsx?$/).map((file) => ({
    file: relative(root, file),
    text: readFileSync(file, 'utf8'),
  }));
  const linesOf = (some) => some.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const helpers = files.filter(
    ({ file, text }) => !/^test\/record\/(stories|faults)\//.test(file) && !HAS_TEST.test(text),
  );
  return {
    'lines of tests': linesOf(files),
    'helpers in them: no test, story or planted fault': `${((100 * linesOf(helpers)) / linesOf(files)).toFixed(1)} %`,
  };
}

const HAS_TEST = /^\s*(it|test|describe)(\.each|\.skipIf)?[.(]/m;

/** What runs for one order of an account with limits, in a process of its own. */
function ofOrder() {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-house-'));
  try {
    return JSON.parse(
      execFileSync(process.execPath, [join(root, 'scripts/order-files.mjs'), folder], { encoding: 'utf8' }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A strategy in the library warns that nothing trades for it there; the script lets it trade. */
function ofBet() {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return JSON.parse(execFileSync(process.execPath, [join(root, 'scripts/bet-files.mjs')], options));
}

const figures = { ...ofSource(), ...ofTests(), ...ofDocuments(), ...ofOrder(), ...ofBet() };
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(56)} ${figure}`);
