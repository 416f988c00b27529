import ts from 'typescript';
import { misnamedClass } from './file-names.js';
import { nodesOf, placeOf, type Source } from './sources.js';

/** A rule about the text of a file. */
export interface HouseRule {
  readonly promise: string;
  /** The files that it binds. */
  readonly binds: RegExp;
  /** Where the file breaks it. */
  readonly breaches: (source: Source) => string[];
  /** A file that it must catch. */
  readonly probe: { readonly path: string; readonly text: string };
}

const EVERYTHING = /./;
const SRC = /^src\//;
const CORE = /^src\/(core|ports|index\.ts)/;
/** The core but for statistics of money, which move none. */
const MONEY = /^src\/(core\/(?!performance\/)|ports|index\.ts)/;
/** What every venue is given. */
const FOR_ANY_VENUE = /^src\/(core|ports|testing|stakeport|adapters\/transport)[./]/;

/** What builds a part of a statement from table and column names, which are all written in this project. */
const STATEMENT_MAKERS = ['rowOf'];

/** The rules that reviewers would otherwise have to check. */
export const HOUSE_RULES: readonly HouseRule[] = [
  {
    promise: 'a file has at most 400 lines',
    binds: EVERYTHING,
    breaches: (source) => atMost(source, source.text.trimEnd().split('\n').length, 400),
    probe: { path: 'test/probe.test.ts', text: 'call();\n'.repeat(401) },
  },
  {
    promise: 'a function has at most 60 lines',
    binds: SRC,
    breaches: (source) =>
      nodesOf(source, isFunction)
        .filter((node) => linesOf(source, node) > 60)
        .map(at(source)),
    probe: { path: 'src/core/probe.ts', text: `const long = () => {\n${'call();\n'.repeat(59)}};` },
  },
  {
    promise: 'a file whose only value is a class is named like it',
    binds: SRC,
    breaches: misnamedClass,
    probe: { path: 'src/core/probe.ts', text: 'export class Ledger {}' },
  },
  {
    promise: 'a use case has at most 300 lines of code',
    binds: /^src\/core\/usecases\//,
    breaches: (source) => atMost(source, linesOfCode(source), 300),
    probe: { path: 'src/core/usecases/probe.ts', text: 'call();\n'.repeat(301) },
  },
  {
    promise: 'use cases are made by compose.ts alone',
    binds: SRC,
    breaches: (source) => nodesOf(source, ts.isNewExpression).filter(isUseCaseOf(source)).map(at(source)),
    probe: {
      path: 'src/cli/probe.ts',
      text: `import { AuditBooks } from '../core/usecases/accounts/audit-books.js';\nnew AuditBooks(ledger);`,
    },
  },
  {
    promise: 'a port has at most 120 lines of code',
    binds: /^src\/ports\//,
    breaches: (source) => atMost(source, linesOfCode(source), 120),
    probe: { path: 'src/ports/probe.ts', text: 'type A = 1;\n'.repeat(121) },
  },
  {
    promise: 'nothing is exported without a name',
    binds: EVERYTHING,
    breaches: (source) => [
      ...nodesOf(source, ts.isExportAssignment).map(at(source)),
      ...nodesOf(source, isDefaultKeyword).map(at(source)),
    ],
    probe: { path: 'src/probe.ts', text: 'export default class Probe {}' },
  },
  {
    promise: 'a name says what a thing is for',
    binds: SRC,
    breaches: (source) => [
      ...(/(^|[/-])((utils?|common|helpers?|misc)[./-]|(impl|dto|service|manager)\.ts$)/.test(source.path)
        ? [source.path]
        : []),
      ...nodesOf(source, isNamedType)
        .filter(({ name }) => /(Impl|Dto|DTO|Service|Manager|Helpers?|Utils?)$|^I[A-Z][a-z]/.test(name?.text ?? ''))
        .map(at(source)),
    ],
    probe: { path: 'src/core/probe.ts', text: 'export interface OrderManager {}' },
  },
  {
    promise: 'every exported name says what it promises',
    binds: SRC,
    breaches: (source) => source.tree.statements.filter(isExportedDeclaration).filter(hasNoComment).map(at(source)),
    probe: { path: 'src/core/probe.ts', text: '// Not a promise.\nexport const probe = 1;' },
  },
  {
    promise: 'no type is forced through unknown',
    binds: SRC,
    breaches: (source) => nodesOf(source, isCastThroughUnknown).map(at(source)),
    probe: { path: 'src/core/probe.ts', text: 'const order = {} as unknown as Order;' },
  },
  {
    promise: 'nothing is left to do later',
    binds: EVERYTHING,
    breaches: (source) => (/\b(TO[D]O|FIX[M]E)\b/.test(source.text) ? [source.path] : []),
    probe: { path: 'src/core/probe.ts', text: `// ${'TO'}${'DO'}: finish.` },
  },
  {
    promise: 'what serves every venue names none',
    binds: FOR_ANY_VENUE,
    breaches: (source) => linesWith(source, /polymarket|kalshi/i),
    probe: { path: 'src/ports/probe.ts', text: '/** As Polymarket has it. */\nexport type Probe = string;' },
  },
  {
    promise: 'the core reads neither the clock nor chance',
    binds: CORE,
    breaches: (source) => [
      ...nodesOf(source, ts.isNewExpression).filter(isMomentNow).map(at(source)),
      ...nodesOf(source, ts.isPropertyAccessExpression)
        .filter((node) => ['Date.now', 'Math.random'].includes(node.getText()))
        .map(at(source)),
    ],
    probe: { path: 'src/core/probe.ts', text: 'const now = new Date();' },
  },
  {
    promise: 'but for statistics, the core holds no fraction in a number, and makes no number of a text',
    binds: MONEY,
    breaches: (source) => [
      ...nodesOf(source, ts.isNumericLiteral).filter(isFraction).map(at(source)),
      ...nodesOf(source, ts.isCallExpression).filter(makesNumber).map(at(source)),
    ],
    probe: { path: 'src/core/probe.ts', text: 'const price = Number(text);' },
  },
  {
    promise: 'no text is ever read as a floating-point number by its first digits',
    binds: SRC,
    breaches: (source) =>
      nodesOf(source, ts.isIdentifier)
        .filter(({ text }) => text === 'parseFloat')
        .map(at(source)),
    probe: { path: 'src/adapters/http/probe.ts', text: 'const price = Number.parseFloat(text);' },
  },
  {
    promise: 'no value is written into a statement of SQL',
    binds: SRC,
    breaches: (source) => nodesOf(source, ts.isCallExpression).filter(isBuiltSql).map(at(source)),
    probe: { path: 'src/adapters/sql/probe.ts', text: 'await trx.raw(`select * from orders where id = ${id}`);' },
  },
  {
    promise: 'no lock of the database outlives its transaction',
    binds: SRC,
    breaches: (source) => (/pg_(try_)?advisory_lock\s*\(/i.test(source.text) ? [source.path] : []),
    probe: { path: 'src/adapters/sql/probe.ts', text: `await trx.raw('select pg_advisory_lock(1)');` },
  },
];

function at(source: Source): (node: ts.Node) => string {
  return (node) => placeOf(source, node);
}

function atMost(source: Source, count: number, limit: number): string[] {
  return count > limit ? [`${source.path} has ${count}`] : [];
}

function linesWith({ path, text }: Source, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : []));
}

function linesOf({ tree }: Source, node: ts.Node): number {
  const { line: first } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
}

/** Lines that hold code of their own: no blank ones, no comments, no imports. */
function linesOfCode({ tree, text }: Source): number {
  const body = tree.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const code = body.map((statement) => text.slice(statement.getStart(tree), statement.getEnd())).join('\n');
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return bare.split('\n').filter((line) => line.trim() !== '').length;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function isDefaultKeyword(node: ts.Node): node is ts.DefaultKeyword {
  return node.kind === ts.SyntaxKind.DefaultKeyword && ts.canHaveModifiers(node.parent);
}

function isNamedType(node: ts.Node): node is ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function isExportedDeclaration(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function hasNoComment(node: ts.Node): boolean {
  return !ts.getJSDocCommentsAndTags(node).some((doc) => ts.isJSDoc(doc) && doc.comment !== undefined);
}

function isCastThroughUnknown(node: ts.Node): node is ts.AsExpression {
  if (!ts.isAsExpression(node) || !ts.isAsExpression(node.expression)) return false;
  return node.expression.type.kind === ts.SyntaxKind.UnknownKeyword;
}

/** The classes of use cases that a file outside their folder imports. */
function isUseCaseOf(source: Source): (node: ts.NewExpression) => boolean {
  const classes = nodesOf(source, ts.isImportSpecifier)
    .filter(({ parent }) => parent.parent.parent.moduleSpecifier.getText().includes('core/usecases/'))
    .map(({ name }) => name.text);
  return ({ expression }) => classes.includes(expression.getText());
}

function isMomentNow({
  expression,
  arguments: given = [],
}: {
  expression: ts.Node;
  arguments?: readonly ts.Node[];
}): boolean {
  return expression.getText() === 'Date' && given.length === 0;
}

function isFraction({ text }: ts.NumericLiteral): boolean {
  return !Number.isInteger(Number(text));
}

function makesNumber({ expression }: ts.CallExpression): boolean {
  return /^(globalThis\.)?(Number|parseInt|Number\.parse\w+)$/.test(expression.getText());
}

function isBuiltSql({ expression, arguments: given }: ts.CallExpression): boolean {
  const [statement] = given;
  if (statement === undefined || !ts.isPropertyAccessExpression(expression)) return false;
  return /^raw$|Raw$/.test(expression.name.text) && !isFixedText(statement);
}

function isFixedText(node: ts.Expression): boolean {
  if (ts.isTemplateExpression(node)) return node.templateSpans.every((span) => isFixedText(span.expression));
  if (ts.isCallExpression(node)) return STATEMENT_MAKERS.includes(node.expression.getText());
  return ts.isStringLiteralLike(node) || (ts.isIdentifier(node) && /^[A-Z][A-Z0-9_]*$/.test(node.text));
}
