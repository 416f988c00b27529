import ts from 'typescript';
import type { Source } from './sources.js';

/** The names that more than one of the files declares and exports, each with its files. What is passed on is its file's own. */
export function namesExportedTwice(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const name of exportsOf(source)) files.set(name, (files.get(name) ?? new Set()).add(source.path));
  }
  const twice = [...files].filter(([, paths]) => paths.size > 1);
  return twice.map(([name, paths]) => `${name}: ${[...paths].sort().join(', ')}`).sort();
}

function exportsOf({ tree }: Source): string[] {
  return tree.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(nameOf);
    return nameOf(statement as ts.DeclarationStatement);
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

const nameOf = ({ name }: { readonly name?: ts.Node }): string => name?.getText() ?? '';
