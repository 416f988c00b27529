/** What a cell can hold: null is an empty one, and the items of a list are joined by `;`. */
export type CsvCell = string | number | boolean | null | readonly string[];

const QUOTED = /[",\r\n]/;
/** What spreadsheets take for the beginning of a formula (OWASP, CSV Injection), in full width too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-[0-9]+(\.[0-9]+)?$/;

/** A line of CSV, quoted as RFC 4180 asks, with its end. A text that a spreadsheet would run begins with an apostrophe. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\n`;

function cellText(cell: CsvCell): string {
  const said = cell === null ? '' : Array.isArray(cell) ? cell.join(';') : `${cell}`;
  const text = FORMULA.test(said) && !NUMBER.test(said) ? `'${said}` : said;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A place in a text of CSV where a quote stands that nothing closes. */
export class CsvMalformed extends Error {
  constructor(line: number) {
    super(`a quote in line ${line} is not closed`);
    this.name = 'CsvMalformed';
  }
}

/**
 * The rows of a text of CSV, each as its cells: lines that end in LF or CRLF, quotes as in RFC 4180. Empty lines are no rows.
 * @throws CsvMalformed
 */
export function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell.text);
    const isLast = text[cell.end] !== ',';
    at = isLast ? afterLine(text, cell.end) : cell.end + 1;
    // A comma at the very end of the text has an empty cell behind it.
    if (!isLast && at === text.length) row.push('');
    if (!isLast && at < text.length) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

function plainCell(text: string, from: number): { readonly text: string; readonly end: number } {
  let end = from;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): { readonly text: string; readonly end: number } {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) throw new CsvMalformed(text.slice(0, from).split('\n').length);
  return { text: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function afterLine(text: string, end: number): number {
  if (text[end] === '\r' && text[end + 1] === '\n') return end + 2;
  return end + 1;
}
