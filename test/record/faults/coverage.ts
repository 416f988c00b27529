import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './broken-copy.js';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** What ran of the files below `program`, as Node writes it down with NODE_V8_COVERAGE. */
export class Coverage {
  /** By file, the functions of it in each process. */
  readonly #ran = new Map<string, Range[][]>();

  constructor(folder: string, program: string) {
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string; functions: { ranges: Range[] }[] }[];
      };
      for (const { url, functions } of result) {
        if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(program)) continue;
        const file = fileURLToPath(url).slice(program.length + 1);
        this.#ran.set(file, [...(this.#ran.get(file) ?? []), functions.flatMap(({ ranges }) => ranges.slice(0, 1))]);
      }
    }
  }

  /** Whether the function ran in which this place is. Not its branches: a fault may turn into the one that did not run. */
  has({ file, offset }: Place): boolean {
    return (this.#ran.get(file) ?? []).some((ranges) => {
      const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
      const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
      const [smallest] = around.sort((one, other) => size(one) - size(other));
      return (smallest?.count ?? 0) > 0;
    });
  }
}
