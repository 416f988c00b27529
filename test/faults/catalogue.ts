import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A row of a catalogue of faults that is proved, wholly or in part, elsewhere than in the folder of its tests, or that cannot arise. */
export type Entry<Row = number> =
  /** `provedBy` names a file of tests and, after `›`, a text of the title of the test in it. */
  | { readonly row: Row; readonly title: string; readonly provedBy: string }
  | { readonly row: Row; readonly title: string; readonly notApplicable: string };

const ROOT = new URL('../../', import.meta.url);

/** The text of a file of this project. */
export const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** The tests of a folder, each file as its text. */
export const testsIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => read(`${folder}/${name}`));

/** The rows for which there is neither a test nor an entry. */
export function missing<Row>(rows: readonly Row[], named: ReadonlySet<Row>, entries: readonly Entry<Row>[]): Row[] {
  const known = new Set([...named, ...entries.map(({ row }) => row)]);
  return rows.filter((row) => !known.has(row));
}

/** What is wrong with an entry; null as a rule. */
export function flaw<Row>(entry: Entry<Row>, named: ReadonlySet<Row>): string | null {
  if ('notApplicable' in entry) return named.has(entry.row) ? `row ${entry.row} does apply: it has a test` : null;
  const [path = '', text = ''] = entry.provedBy.split(' › ');
  if (!existsSync(new URL(path, ROOT))) return `there is no ${path}`;
  return text !== '' && read(path).includes(text) ? null : `${path} has no test “${text}”`;
}

const ADAPTER = 'test/adapters/polymarket';
const TRANSPORT = 'test/adapters/transport';

/** Rows 15 to 49, calls to place an order and to look for one: all have tests in this folder, and these besides. */
export const PLACING: readonly Entry[] = [
  {
    row: 15,
    title: 'an incomplete answer to a check counts for nothing',
    provedBy: `${ADAPTER}/execution/exchange-find.test.ts › no lookup counts in which %s`,
  },
  {
    row: 18,
    title: 'a name that leads nowhere',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 18: when the name of the venue leads nowhere`,
  },
  {
    row: 18,
    title: 'a connection that does not stand in time',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 18: when the connection is not made in time`,
  },
  {
    row: 19,
    title: 'another side that speaks no TLS',
    provedBy: `${TRANSPORT}/not-sent.test.ts › row 19: when the other side speaks no TLS`,
  },
  {
    row: 20,
    title: 'a connection that ends within a large request',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 20: closed after a hundred bytes of a large request`,
  },
  {
    row: 34,
    title: 'other lanes go on while orders are held back',
    provedBy: `${TRANSPORT}/turns.test.ts › while the venue wants fewer orders (row 34)`,
  },
  {
    row: 35,
    title: 'the wait grows',
    provedBy: `${ADAPTER}/execution/exchange-sending.test.ts › grows from one second to thirty when the venue gives none`,
  },
  {
    row: 40,
    title: 'a large answer to an order is cut off at the limit',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 40: when the answer is larger than is read`,
  },
  {
    row: 41,
    title: 'nothing compressed is asked for',
    provedBy: `${TRANSPORT}/sent-once.test.ts › row 41: nothing compressed is asked for, and nothing is inflated`,
  },
  {
    row: 48,
    title: 'every digit of JSON and of decimals',
    provedBy: `${ADAPTER}/http/exactness.test.ts › row 48: a decimal is exact or refused`,
  },
];
