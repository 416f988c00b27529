import stringWidth from 'string-width';
import { inOneLine } from '../../../core/one-line.js';
import { type Paint, paintFor, styleOf } from './paint.js';
import { NOTHING } from './shown.js';

/** One column: its title, what a row has in it, and how it is shown. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null | undefined;
  /** Money and counts. */
  readonly right?: boolean;
  /** A status, whose words have colours. */
  readonly painted?: boolean;
  /** The most columns of a terminal that a free text takes; `--json` has all of it. */
  readonly most?: number;
}

/** A pair of a list of details; a value of null is shown as nothing. */
export type Detail = readonly [title: string, value: string | number | boolean | null | undefined];

/** The columns, and the venue of each row where rows are of several. */
export function withVenue<Row extends { readonly venue: string }>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): readonly TableColumn<Row>[] {
  const isSeveral = rows.some(({ venue }) => venue !== rows[0]?.venue);
  return isSeveral ? [...columns, { title: 'venue', of: ({ venue }) => venue }] : columns;
}

const GAP = '  ';

/** Rows under titles, aligned by what a terminal shows; `none` where there is no row. */
export function tableOf<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], none: string): string {
  if (rows.length === 0) return none;
  const paint = paintFor(process.stdout);
  const cells = atThePoint(
    columns,
    rows.map((row) => columns.map((column) => cellOf(column, row))),
  );
  const widths = columns.map(({ title }, at) => widest([title, ...cells.map((line) => line[at] ?? '')]));
  const titles = line(
    columns,
    widths,
    columns.map(({ title }) => title.toUpperCase()),
    (_, text) => paint('bold', text),
  );
  return [titles, ...cells.map((texts) => line(columns, widths, texts, paint))].join('\n');
}

const NUMBER = /^-?\d+(\.\d+)?(?= %$|$)/;

/** Cells with blanks behind the numbers of a column, so that their points are one below the other. */
function atThePoint<Row>(
  columns: readonly TableColumn<Row>[],
  cells: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const behind = (text = '') => (NUMBER.test(text) && text.includes('.') ? text.length - text.indexOf('.') : 0);
  const most = columns.map(({ right = false }, at) => (right ? Math.max(...cells.map((row) => behind(row[at]))) : 0));
  return cells.map((row) =>
    row.map((text, at) => (NUMBER.test(text) ? text + ' '.repeat((most[at] ?? 0) - behind(text)) : text)),
  );
}

/** One row as `tableOf` would show it, for rows that come one after another; `widths` are those of the columns. */
export function rowOfTable<Row>(columns: readonly TableColumn<Row>[], widths: readonly number[], row: Row): string {
  return line(
    columns,
    widths,
    columns.map((column) => cellOf(column, row)),
    paintFor(process.stdout),
  );
}

/** Details of one thing, a line each. */
export function detailsOf(pairs: readonly Detail[], paint = paintFor(process.stdout)): string {
  const width = widest(pairs.map(([title]) => title));
  const lines = pairs.map(([title, value]) => {
    const text = inOneLine(`${value ?? NOTHING}`);
    return `${padded(title, width, false)}${GAP}${paint(styleOf(text), text)}`;
  });
  return lines.join('\n');
}

function line<Row>(
  columns: readonly TableColumn<Row>[],
  widths: readonly number[],
  texts: readonly string[],
  paint: Paint,
): string {
  const last = columns.length - 1;
  const cells = columns.map(({ right = false, painted = false }, at) => {
    const text = texts[at] ?? '';
    const whole = at === last && !right ? text : padded(text, widths[at] ?? 0, right);
    return paint(painted ? styleOf(text) : null, whole);
  });
  return cells.join(GAP).trimEnd();
}

function cellOf<Row>({ of, most }: TableColumn<Row>, row: Row): string {
  const text = inOneLine(`${of(row) ?? NOTHING}`);
  return most === undefined ? text : cut(text, most);
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => stringWidth(text)));

function padded(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? `${blanks}${text}` : `${text}${blanks}`;
}

/** A text that is cut between characters as people see them. */
function cut(text: string, most: number): string {
  if (stringWidth(text) <= most) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= most) break;
    kept += segment;
  }
  return `${kept}…`;
}
