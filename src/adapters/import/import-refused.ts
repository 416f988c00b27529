import { harmless } from '../tape/tape-unreadable.js';

/** What is to be imported cannot be read as it is: the message names the file and the row, and says what to do. */
export class ImportRefused extends Error {
  constructor(
    /** The file, or null where none alone is at fault. */
    readonly file: string | null,
    reason: string,
    /** Counted from 0 in a Parquet file, and from 1 in a file of lines. */
    readonly row: number | null = null,
    /** `nothing` where the files hold none of the markets. */
    readonly kind: 'unreadable' | 'nothing' = 'unreadable',
  ) {
    const place = [...(file === null ? [] : [file]), ...(row === null ? [] : [`row ${row}`])].join(', ');
    super(`${place === '' ? '' : `${place}: `}${harmless(reason)}`);
    this.name = 'ImportRefused';
  }
}
