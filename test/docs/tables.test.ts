import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIMIT_NAMES, limitOf } from '../../src/core/limits/limits.js';
import { ORDER_REFUSALS } from '../../src/core/refusals/order-refusals.js';
import { ROOT } from '../support/build.js';

/** `DOCS=write npx vitest run test/docs/tables.test.ts` writes the tables into their pages. Read the difference before it is committed. */
const WRITES = process.env['DOCS'] === 'write';

/** The rows of a table that is made from a table of the source, below its line of titles. */
interface Made {
  readonly page: string;
  readonly titles: string;
  readonly rows: readonly (readonly string[])[];
}

const code = (name: string): string => `\`${name}\``;

const limits = LIMIT_NAMES.map(limitOf).map(({ shown, row: [most, example], code: refused }) => [
  code(shown),
  most,
  code(refused),
  example,
]);

const TABLES: readonly Made[] = [
  { page: 'docs/limits.md', titles: '| limit | is the most … | code | example |', rows: limits },
  {
    page: 'docs/refusals.md',
    titles: '| code | by | what to do |',
    rows: Object.entries(ORDER_REFUSALS).map(([name, [by, help]]) => [code(name), by, help]),
  },
];

/** What is before a table of the page, the table without its titles, and what is after it. */
function parted(page: string, titles: string): readonly [before: string, table: string, after: string] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const start = text.indexOf(`\n${titles}\n`) + titles.length + 2;
  const end = text.indexOf('\n\n', start);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

it.each(TABLES)('$page has the table of the source, row by row', ({ page, titles, rows }) => {
  const line = `|${'---|'.repeat(titles.split('|').length - 2)}`;
  const made = [line, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
  const [before, table, after] = parted(page, titles);
  expect(before).toContain(titles);
  if (WRITES) writeFileSync(join(ROOT, page), `${before}${made}${after}`);
  else expect(table).toBe(made);
});
