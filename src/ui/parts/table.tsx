import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAsked } from './link.tsx';

/** A column of a table. */
export interface ShownColumn<Row> {
  readonly name: string;
  /** Whether it holds figures, which are aligned at the right. */
  readonly num?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** Of a column by which rows are sorted: what they are compared by, null last; `server` where the server sorts them. */
  readonly by?: ((row: Row) => bigint | string | null) | 'server';
  /** Whether the least comes first when it is chosen. */
  readonly isUpFirst?: boolean;
}

/** How a table is sorted, and how another order is asked for. */
export interface Sorting {
  /** The name of the column. */
  readonly column: string;
  readonly isDown: boolean;
  readonly choose: (column: string, isDown: boolean) => void;
}

/** The order that the address asks for, such as `sort=-Profit`; without one, this column from the greatest down, or up. */
export function useSorting(column: string, isDown = true): Sorting {
  const { get, ask } = useAsked();
  const wanted = get('sort');
  return {
    column: wanted === '' ? column : wanted.replace('-', ''),
    isDown: wanted === '' ? isDown : wanted.startsWith('-'),
    choose: (name, down) => ask({ sort: name === column && down === isDown ? '' : `${down ? '-' : ''}${name}` }),
  };
}

/** Rows in the order that is asked for; as they are where the column is not one of these, or the server's. */
function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly ShownColumn<Row>[],
  { column, isDown }: Pick<Sorting, 'column' | 'isDown'>,
): readonly Row[] {
  const by = columns.find(({ name }) => name === column)?.by;
  if (by === undefined || by === 'server') return rows;
  return rows.toSorted((a, b) => {
    const [one, other] = [by(a), by(b)];
    if (one === other) return 0;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other === isDown ? 1 : -1;
  });
}

/** The columns, and the venue of each row where rows are of several. */
export function columnsWithVenue<Row extends { readonly venue: string }>(
  rows: readonly Row[],
  columns: readonly ShownColumn<Row>[],
): readonly ShownColumn<Row>[] {
  const isSeveral = rows.some(({ venue }) => venue !== rows[0]?.venue);
  return isSeveral ? [...columns, { name: 'Venue', cell: ({ venue }) => venue }] : columns;
}

/** How many rows are drawn before more are asked for. */
const ROWS = 100;

/** A box around what may be wider than the page: it scrolls by itself, by keyboard too, and says so while it does. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => setIsCut(current.scrollWidth > current.clientWidth + 1);
    const watch = new ResizeObserver(look);
    for (const one of [current, ...current.children]) watch.observe(one);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      {isCut ? (
        <p class="hint sideways">Wider than the page: scroll it sideways, or use the arrow keys in it. →</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <section class="scroll" aria-label={label} tabIndex={0} ref={box}>
        {children}
      </section>
    </>
  );
}

/** Rows of a table under a heading of their own. */
export interface RowGroup<Row> {
  readonly key: string;
  readonly heading: ComponentChildren;
  readonly rows: readonly Row[];
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly ShownColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Which rows stand out. */
  readonly isMarked?: (row: Row) => boolean;
  /** How its rows are sorted, where the reader may choose. */
  readonly sorting?: Sorting;
}

/** A real table in a box that scrolls by itself, by keyboard too. The first column names its row. */
export function DataTable<Row>({ rows: all, ...table }: TableProps<Row> & { readonly rows: readonly Row[] }) {
  const [most, setMost] = useState(ROWS);
  const rows = table.sorting === undefined ? all : sortedRows(all, table.columns, table.sorting);
  return (
    <>
      <GroupedTable {...table} groups={[{ key: '', heading: null, rows: rows.slice(0, most) }]} />
      {rows.length > most ? (
        <p>
          <button type="button" onClick={() => setMost(most + ROWS)}>
            Show {Math.min(ROWS, rows.length - most)} more of {rows.length}
          </button>
        </p>
      ) : null}
    </>
  );
}

/** A table whose groups of rows share its columns. */
export function GroupedTable<Row>(props: TableProps<Row> & { readonly groups: readonly RowGroup<Row>[] }) {
  const { caption, columns, groups, keyOf, isMarked, sorting } = props;
  return (
    <ScrollBox label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>{columns.map((column) => headingOf(column, sorting))}</tr>
        </thead>
        {groups.map(({ key, heading, rows }) => (
          <tbody key={key}>
            {heading === null ? null : (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {heading}
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <tr key={keyOf(row)} class={isMarked?.(row) ? 'marked' : ''}>
                {columns.map((column, at) => cellOf(column, row, at === 0))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollBox>
  );
}

/** A heading; of a column by which rows are sorted, a button that sorts by it, or the other way round. */
function headingOf<Row>({ name, num, by, isUpFirst = false }: ShownColumn<Row>, sorting: Sorting | undefined) {
  if (by === undefined || sorting === undefined)
    return (
      <th key={name} scope="col" class={num ? 'num' : ''}>
        {name}
      </th>
    );
  const { column, isDown, choose } = sorting;
  const isBy = column === name;
  return (
    <th
      key={name}
      scope="col"
      class={num ? 'num' : ''}
      aria-sort={isBy ? (isDown ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="sort" onClick={() => choose(name, isBy ? !isDown : !isUpFirst)}>
        {name}
        <span aria-hidden="true">{isBy ? (isDown ? ' ▼' : ' ▲') : ' ↕'}</span>
      </button>
    </th>
  );
}

function cellOf<Row>({ name, num, cell }: ShownColumn<Row>, row: Row, isFirst: boolean) {
  const content = cell(row);
  return isFirst ? (
    <th key={name} scope="row">
      {content}
    </th>
  ) : (
    <td key={name} class={num ? 'num' : ''}>
      {content}
    </td>
  );
}
