import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A column of a table. */
export interface ShownColumn<Row> {
  readonly name: string;
  /** Whether it holds figures, which are aligned at the right. */
  readonly num?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
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
}

/** A real table in a box that scrolls by itself, by keyboard too. The first column names its row. */
export function DataTable<Row>({ rows, ...table }: TableProps<Row> & { readonly rows: readonly Row[] }) {
  const [most, setMost] = useState(ROWS);
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
  const { caption, columns, groups, keyOf, isMarked } = props;
  return (
    <ScrollBox label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, num }) => (
              <th key={name} scope="col" class={num ? 'num' : ''}>
                {name}
              </th>
            ))}
          </tr>
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
