import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from './build.js';

/** One file of TypeScript, parsed. */
export interface Source {
  /** From the checkout's folder, with slashes, such as `src/core/money.ts`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** One thing that a file imports, exports from elsewhere, or loads while it runs. */
export interface Import {
  /** As written, or for a relative one the path of the file that it names. */
  readonly target: string;
  /** Whether nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

/** Parses a text as if it were the file at `path`. */
export function parse(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
}

/** Every TypeScript file below the folders. A folder that does not exist has none. */
export function sourcesIn(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    filesBelow(folder).map((path) => parse(path, readFileSync(join(ROOT, path), 'utf8'))),
  );
}

function filesBelow(folder: string): string[] {
  try {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    const paths = names.map((name) => relative('.', join(folder, name)).replaceAll('\\', '/'));
    return paths.filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/')).sort();
  } catch {
    return [];
  }
}

/** All nodes of a kind, however deep. */
export function nodesOf<T extends ts.Node>(source: Source, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return found;
}

/** `path:line`, for a reader to jump to. */
export function placeOf(source: Source, node: ts.Node): string {
  return `${source.path}:${source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree)).line + 1}`;
}

/** Everything that a file takes from elsewhere, in whichever form it is written. */
export function importsOf(source: Source): Import[] {
  const found = nodesOf(source, ts.isStringLiteralLike).map((text) => importNamedBy(text));
  return found
    .filter((item) => item !== undefined)
    .map(({ target, typeOnly }) => {
      if (!target.startsWith('.')) return { target, typeOnly };
      return { target: posix.join(posix.dirname(source.path), target).replace(/\.js$/, '.ts'), typeOnly };
    });
}

function importNamedBy(text: ts.StringLiteralLike): Import | undefined {
  const { parent } = text;
  const target = text.text;
  if (ts.isImportDeclaration(parent)) return { target, typeOnly: importsTypesOnly(parent) };
  if (ts.isExportDeclaration(parent)) return { target, typeOnly: exportsTypesOnly(parent) };
  if (ts.isExternalModuleReference(parent)) return { target, typeOnly: false };
  if (ts.isCallExpression(parent) && parent.arguments[0] === text && loads(parent)) return { target, typeOnly: false };
  if (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) return { target, typeOnly: true };
  return undefined;
}

function importsTypesOnly({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  if (clause.name !== undefined || clause.namedBindings === undefined) return false;
  return ts.isNamedImports(clause.namedBindings) && clause.namedBindings.elements.every((name) => name.isTypeOnly);
}

function exportsTypesOnly({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.every((name) => name.isTypeOnly);
}

function loads({ expression }: ts.CallExpression): boolean {
  return expression.kind === ts.SyntaxKind.ImportKeyword || expression.getText() === 'require';
}
