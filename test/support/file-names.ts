import { basename } from 'node:path';
import ts from 'typescript';
import type { Source } from './sources.js';

/** Where the only value that a file exports is a class of another name than the file's. */
export function misnamedClass({ path, tree }: Source): string[] {
  const exported = tree.statements.filter(
    (statement) => ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === EXPORT) === true,
  );
  const [only, ...more] = exported.filter(
    (statement) => !ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement),
  );
  if (only === undefined || more.length > 0 || !ts.isClassDeclaration(only)) return [];
  const name = only.name?.text ?? '';
  return basename(path, '.ts').replaceAll('-', '') === name.toLowerCase() ? [] : [`${path} holds ${name}`];
}

const EXPORT = ts.SyntaxKind.ExportKeyword;
