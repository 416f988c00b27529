import ts from 'typescript';
import type { Source } from './sources.js';

/** The names that several of the files declare and export, each with its files. A re-export counts for its own file only. */
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
