import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Entry, PLACING } from './catalogue.js';
import { LIFE } from './catalogue-life.js';

const ROOT = new URL('../../', import.meta.url);
const HERE = new URL('.', import.meta.url);
const [FIRST, LAST] = [15, 82];
const TITLE = /['"`]row (\d+): /g;

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** The rows that a test of this folder is named after. */
function tested(): Set<number> {
  const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts'));
  const texts = files.map((name) => readFileSync(new URL(name, HERE), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(TITLE)].map(([, row]) => Number(row))));
}

/** The rows of the catalogue for which there is neither a test nor an entry. */
function missing(named: ReadonlySet<number>, entries: readonly Entry[]): number[] {
  const known = new Set([...named, ...entries.map(({ row }) => row)]);
  return Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index).filter((row) => !known.has(row));
}

/** What is wrong with an entry; null as a rule. */
function flaw(entry: Entry, named: ReadonlySet<number>): string | null {
  if ('notApplicable' in entry) return named.has(entry.row) ? `row ${entry.row} does apply: it has a test` : null;
  const [path = '', text = ''] = entry.provedBy.split(' › ');
  if (!existsSync(new URL(path, ROOT))) return `there is no ${path}`;
  return text !== '' && read(path).includes(text) ? null : `${path} has no test “${text}”`;
}

describe('The catalogue of faults', () => {
  it('has a test, or says where the proof is, for every row', () => {
    expect(missing(tested(), [...PLACING, ...LIFE])).toEqual([]);
  });

  it.each([...PLACING, ...LIFE])('is true for row $row: $title', (entry) => {
    expect(flaw(entry, tested())).toBeNull();
    expect(entry.row).toSatisfy((row: number) => row >= FIRST && row <= LAST);
  });

  it('is written down for people, each row once', () => {
    const lines = [...read('src/adapters/polymarket/reliability.md').matchAll(/^\| (\d+(?:, \d+)*) \|/gm)];
    const rows = lines.flatMap(([, numbers = '']) => numbers.split(', ').map(Number));
    expect(rows).toEqual(Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index));
  });

  it('would report unproven rows, missing tests and wrongly excluded rows', () => {
    expect(missing(new Set([15, 82]), [])).toHaveLength(LAST - FIRST - 1);
    const provedBy = 'test/faults/catalogue.test.ts › no such ';
    expect(flaw({ row: 15, title: 'none', provedBy: `${provedBy}${'test'}` }, new Set())).toMatch(/has no test/);
    expect(flaw({ row: 15, title: 'none', provedBy: 'test/none.test.ts › one' }, new Set())).toMatch(/there is no/);
    expect(flaw({ row: 15, title: 'none', notApplicable: 'so' }, new Set([15]))).toMatch(/does apply/);
  });
});
