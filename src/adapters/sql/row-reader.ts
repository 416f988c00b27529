import type { Knex } from 'knex';
import type { Page } from '../../core/ledger/query.js';
import { rowIn } from './columns.js';
import type { Store } from './store.js';
import type { Rows } from './table.js';
import { rowOf } from './table.js';

/** Narrows a query: which rows, in which order, and how many. */
export type Narrow = (query: Knex.QueryBuilder) => void;

/** Reads rows as records, with one statement each time, so that a record and its parts are consistent. */
export class RowReader {
  constructor(private readonly store: Pick<Store, 'reader' | 'dialect'>) {}

  async all<T>(rows: Rows<T>, narrow: Narrow): Promise<readonly T[]> {
    const { reader, dialect } = this.store;
    const query = reader(rows.name).select<{ cells: string }[]>(reader.raw(`${rowOf(rows, dialect)} as cells`));
    narrow(query);
    return (await query).map(({ cells }) => rows.decode(rowIn(cells)));
  }

  async first<T>(rows: Rows<T>, narrow: Narrow): Promise<T | undefined> {
    const [found] = await this.all(rows, narrow);
    return found;
  }

  newestFirst<T>(rows: Rows<T>, key: string, page: Page<string | number>, narrow: Narrow): Promise<readonly T[]> {
    return this.all(rows, (q) => {
      narrow(q);
      q.orderBy(key, 'desc').limit(page.limit);
      if (page.after !== undefined) q.where(key, '<', page.after);
    });
  }

  oldestFirst<T>(rows: Rows<T>, key: string, page: Page<string | number>, narrow: Narrow): Promise<readonly T[]> {
    return this.all(rows, (q) => {
      narrow(q);
      q.orderBy(key).limit(page.limit);
      if (page.after !== undefined) q.where(key, '>', page.after);
    });
  }
}

const LATEST = '9999-12-31T23:59:59.999Z';

/** A moment as text comparable with stored ones: years of five digits begin with a plus, which sorts below all digits. */
export function comparable(moment: Date): string {
  const text = moment.toISOString();
  return text.startsWith('+') ? LATEST : text;
}
