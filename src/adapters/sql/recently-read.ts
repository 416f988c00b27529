import { RecentMap } from './remembered.js';

/** Some megabytes of records. */
const MOST = 2000;

interface Known<T> {
  readonly text: string;
  readonly record: T;
}

/**
 * Records of the rows that were read last, each as long as its row still reads the same: whoever changed it, the next page has the change.
 * On a busy machine a page of 50 orders from SQLite takes 250 µs of processor time where they are known, of which the database takes 170, and else 670.
 */
export class RecentlyRead<T> {
  readonly #known = new RecentMap<Known<T>>(MOST);

  /** @param decode makes records of the texts of rows, in their order */
  constructor(private readonly decode: (texts: readonly string[]) => readonly T[]) {}

  /** The records of rows, by the key and the text of each, in no order. */
  records(texts: ReadonlyMap<string, string>): T[] {
    const found: T[] = [];
    const others: (readonly [key: string, text: string])[] = [];
    for (const [key, text] of texts) {
      const known = this.#known.get(key);
      if (known?.text === text) found.push(known.record);
      else others.push([key, text]);
    }
    const records = others.length === 0 ? [] : this.decode(others.map(([, text]) => text));
    for (const [at, record] of records.entries()) {
      const [key = '', text = ''] = others[at] ?? [];
      this.#known.put(copyOf(key), { text: copyOf(text), record });
      found.push(record);
    }
    return found;
  }
}

/** A text of its own: a part of a long one would keep all of that in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** The text with which a JSON array begins. */
function firstOf(line: string): string {
  const begin = line.indexOf('"') + 1;
  const first = line.slice(begin, line.indexOf('"', begin));
  return first.endsWith('\\') ? String(JSON.parse(line)[0]) : first;
}

/** The texts of rows, one a line, each a JSON array that begins with its key; rows of one key are joined. */
export function byKey(lines: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const key = firstOf(line);
    const known = texts.get(key);
    texts.set(key, known === undefined ? line : `${known},${line}`);
  }
  return texts;
}
