import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A column of a table. */
export interface ShownColumn<Row> {
  readonly name: string;
  /** Whether it holds figures, which are aligned at the right. */
  readonly num?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** How many rows are drawn before more are asked for. */
const ROWS = 100;

/** A real table in a box that scrolls by itself, by keyboard too. The first column names its row. */
export function DataTable<Row>(props: {
  readonly caption: string;
  readonly columns: readonly ShownColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Which rows stand out. */
  readonly isMarked?: (row: Row) => boolean;
}) {
  const { caption, columns, rows, keyOf, isMarked } = props;
  const [most, setMost] = useState(ROWS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <section class="scroll" aria-label={caption} tabIndex={0}>
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
          <tbody>
            {rows.slice(0, most).map((row) => (
              <tr key={keyOf(row)} class={isMarked?.(row) ? 'marked' : ''}>
                {columns.map((column, at) => cellOf(column, row, at === 0))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
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
