import { readFileSync } from 'node:fs';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { Terminal } from './terminal.js';

/** The text of a file that a person names; `-` is standard input. @throws CommandFailed where it cannot be read */
export async function fileText(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return terminal.askHidden('');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new CommandFailed(`${file} cannot be read${why}. Nothing was done.`, EXIT.usage, error);
  }
}
