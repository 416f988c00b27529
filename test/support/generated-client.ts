import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { ROOT } from './build.js';

/** A folder in which clients are compiled with types that are generated from a document. */
export interface GeneratedClient {
  /** The compiled program; it is there once it compiles. */
  readonly program: string;
  /** Compiles the client, and returns what is wrong with it. */
  compile(client: string): string[];
  remove(): void;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
};

/** Generates the types of a document. */
export async function generateClient(document: object): Promise<GeneratedClient> {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'client-'));
  const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
  writeFileSync(join(folder, 'schema.ts'), astToString(types));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // The one before: what it read of the types of others is not read again.
  let program: ts.Program | undefined;
  return {
    program: join(folder, 'client.js'),
    compile(client) {
      const path = join(folder, 'client.ts');
      writeFileSync(path, client);
      program = ts.createProgram([path], OPTIONS, undefined, program);
      program.emit();
      return ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
