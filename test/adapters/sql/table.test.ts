import { describe, expect, it } from 'vitest';
import { ACCOUNTS, POSITIONS } from '../../../src/adapters/sql/account-table.js';
import type { Cell } from '../../../src/adapters/sql/columns.js';
import {
  as,
  either,
  microColumn,
  momentColumn,
  orNull,
  sqliteDialect,
  textColumn,
  unless,
  wholeColumn,
} from '../../../src/adapters/sql/columns.js';
import { ENTRIES } from '../../../src/adapters/sql/journal-table.js';
import { ORDERS } from '../../../src/adapters/sql/order-table.js';
import { partsOf, reading, rows, storing, type Table, table } from '../../../src/adapters/sql/table.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import { ALICE, NOON, usdc } from '../../support/builders.js';

interface Parcel {
  readonly parcelId: string;
  readonly seal: { readonly wax: string; readonly at: Date; readonly worth: bigint | null } | null;
  readonly worth: bigint | null;
}

const PARCELS = table<Parcel>(
  'parcels',
  {
    parcelId: textColumn(),
    seal: either<NonNullable<Parcel['seal']>>({
      wax: textColumn(),
      at: as('sealed_at', momentColumn()),
      worth: orNull(microColumn()),
    }),
    worth: unless('wax', orNull(microColumn())),
  },
  { key: ['parcel_id'], replaces: ['worth'], also: { size: [textColumn(), ({ seal }) => (seal ? 'big' : 'small')] } },
);

/** What is read back of a row as it was written. */
function again<T>(of: Table<T>, record: T): T {
  const cells = of.encode(record);
  const names = Object.keys(of.stored);
  return of.decode(Object.keys(of.columns).map((name) => cells[names.indexOf(name)] ?? null));
}

describe('a table', () => {
  it('names each column once, after its member unless named otherwise', () => {
    expect(Object.keys(PARCELS.columns)).toEqual(['parcel_id', 'wax', 'sealed_at', 'worth']);
    expect(Object.keys(PARCELS.stored)).toEqual(['parcel_id', 'wax', 'sealed_at', 'worth', 'size']);
  });

  it.each<Parcel>([
    { parcelId: 'a', seal: null, worth: null },
    { parcelId: 'b', seal: null, worth: 9_007_199_254_740_991n },
    { parcelId: 'c', seal: { wax: 'red', at: new Date(NOON), worth: 7n }, worth: null },
    { parcelId: 'd', seal: { wax: '', at: new Date(NOON), worth: null }, worth: null },
  ])('reads back what it wrote of $parcelId', (parcel) => {
    expect(again(PARCELS, parcel)).toEqual(parcel);
  });

  it('reads back an account that was halted, and one that was not', () => {
    const account = { id: ALICE, liveEnabled: true, halt: null };
    const halted = { ...account, halt: { code: 'c', message: 'm', at: new Date(NOON) } };
    for (const one of [account, halted]) expect(again(ACCOUNTS, one)).toEqual(one);
  });

  it('replaces the given columns, and never the key', () => {
    expect(storing(PARCELS, sqliteDialect)('?')).toContain(
      'on conflict (parcel_id) do update set worth = excluded.worth',
    );
    expect(POSITIONS.replaced).not.toEqual(expect.arrayContaining([...POSITIONS.key]));
    expect(ORDERS.replaced).not.toContain('price');
  });

  it('reads the rows belonging to a row with it, in order', () => {
    const items = table<{ of: string; n: number }>(
      'items',
      { of: textColumn(), n: wholeColumn() },
      { key: ['of', 'n'] },
    );
    const boxes = rows<{ id: string; items: readonly number[] }>('boxes', {
      id: textColumn(),
      items: partsOf(items, { of: 'id' }, (found) => found.map(({ n }) => n)),
    });
    const cells: Cell[] = [
      'a',
      [
        ['a', 1],
        ['a', 2],
      ],
    ];
    expect(boxes.decode(cells)).toEqual({ id: 'a', items: [1, 2] });
    expect(ENTRIES.parts[0]?.select(sqliteDialect, 'journal_lines')).toContain('part.entry = journal_lines.entry');
  });

  it('is refused when it names a column that it does not have', () => {
    const shape = { id: textColumn() };
    expect(() => table<{ id: string }>('t', shape, { key: ['idd'] })).toThrow('The table t has no column idd');
    expect(() => rows('t', { id: unless('owner', orNull(textColumn())) })).toThrow('no column owner');
    expect(() => reading(PARCELS, sqliteDialect, ['nothing'])).toThrow('The table parcels has no column nothing');
  });

  it.each([
    ['an amount that is not a number', 'cash', 'a lot'],
    ['an amount past what is exact', 'cash', 9_007_199_254_740_992],
    ['a moment that is none', 'at', 'yesterday'],
  ])('refuses %s', (_, column, cell) => {
    const wallet = table<{ cash: bigint; at: Date }>(
      'wallet',
      { cash: microColumn(), at: momentColumn() },
      { key: ['at'] },
    );
    const cells = Object.keys(wallet.columns).map((name, at) =>
      name === column ? cell : wallet.encode({ cash: usdc('1'), at: new Date(NOON) })[at],
    ) as Cell[];
    expect(() => wallet.decode(cells)).toThrow(InvariantBroken);
  });
});
