import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HTTP_METRICS, type MetricTerms } from '../../src/adapters/http/metrics.js';
import { kalshi } from '../../src/adapters/kalshi/kalshi.js';
import { polymarket } from '../../src/adapters/polymarket/polymarket.js';
import { ALARM_KINDS } from '../../src/core/alarm/alarm.js';
import { ALARM_MEANINGS } from '../../src/core/alarm/meanings.js';
import { LIMIT_NAMES, limitOf } from '../../src/core/limits/limits.js';
import { MEASURES } from '../../src/core/performance/measures.js';
import { ORDER_REFUSALS } from '../../src/core/refusals/order-refusals.js';
import { membersOf, RULES, type RulePart } from '../../src/core/strategy/rules/rule-members.js';
import { MEASURE_WORDS } from '../../src/report/measure-words.js';
import { METRICS } from '../../src/server/metrics/own-metrics.js';
import { settingOf, VARIABLES } from '../../src/server/settings/settings.js';
import { ROOT } from '../support/build.js';

/** `DOCS=write npx vitest run test/docs/tables.test.ts` writes the tables into their pages. Read the difference before it is committed. */
const WRITES = process.env['DOCS'] === 'write';

/** The rows of a table that is made from a table of the source, below its line of titles. */
interface Made {
  readonly page: string;
  /** The line after which it is looked for. */
  readonly below: string;
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

/** A text with the names of settings in it as code, with their values. */
const withCode = (text: string): string =>
  text.replace(new RegExp(`\\b(${VARIABLES.join('|')})\\b(=\\w+)?`, 'g'), code);

const settings = (variables: readonly string[]) =>
  variables.map((variable) => {
    const { takes, default: fallback, description } = settingOf(variable);
    return [code(variable), takes, fallback === null ? 'none' : code(fallback), withCode(description)];
  });

const OF_KALSHI = Object.keys(kalshi.marketDataSettings);
const OF_POLYMARKET = Object.keys({ ...polymarket.marketDataSettings, ...polymarket.tradingSettings });

const ofRules = (below: string, part: RulePart, titles: string): Made => ({
  page: 'docs/strategies.md',
  below,
  titles,
  rows: membersOf(part).map(([, { shown, row = [] }]) => [code(shown), ...row]),
});

const metrics = Object.entries<MetricTerms>({ ...METRICS, ...HTTP_METRICS }).map(
  ([name, { labels = [], buckets, row }]) => {
    const all = buckets === undefined ? labels : [...labels, 'le'];
    return [code(name), all.map(code).join(', '), row];
  },
);

const TABLES: readonly Made[] = [
  {
    page: 'docs/backtesting.md',
    below: '## The measures',
    titles: '| measure | `n` counts | computed as |',
    rows: MEASURES.map(({ name, counts }) => [code(name), counts, MEASURE_WORDS[name].formula]),
  },
  {
    page: 'docs/limits.md',
    below: '# Limits and halts',
    titles: '| limit | is the most … | code | example |',
    rows: limits,
  },
  {
    page: 'docs/refusals.md',
    below: '# Refused orders',
    titles: '| code | by | what to do |',
    rows: Object.entries(ORDER_REFUSALS).map(([name, [by, help]]) => [code(name), by, help]),
  },
  {
    page: 'docs/alarms.md',
    below: '# Alarms',
    titles: '| `kind` | raised when | `subject` | what to do |',
    rows: ALARM_KINDS.map((kind) => [code(kind), ...ALARM_MEANINGS[kind].row, ALARM_MEANINGS[kind].whatToDo]),
  },
  {
    page: 'docs/operating.md',
    below: '## Settings',
    titles: '| variable | takes | default | meaning |',
    rows: settings(VARIABLES.filter((variable) => ![...OF_POLYMARKET, ...OF_KALSHI].includes(variable))),
  },
  {
    page: 'src/adapters/polymarket/polymarket.md',
    below: '## 10. Settings',
    titles: '| variable | takes | default | meaning |',
    rows: settings(OF_POLYMARKET),
  },
  {
    page: 'src/adapters/kalshi/README.md',
    below: '## Settings',
    titles: '| variable | takes | default | meaning |',
    rows: settings(OF_KALSHI),
  },
  {
    page: 'docs/operating.md',
    below: '### Metrics',
    titles: '| metric | labels | what it says |',
    rows: metrics,
  },
  ofRules('## Which markets: `match`', 'match', '| member | means | example |'),
  {
    page: 'docs/strategies.md',
    below: '## When: `window`, `phase`',
    titles: '| member | means | example |',
    rows: [
      ...membersOf('window').map(([, { shown, row = [] }]) => [code(`window.${shown}`), ...row]),
      [code('phase'), ...RULES.phase.row],
    ],
  },
  ofRules('## At what quality: `filter`', 'filter', '| member | means | default | example |'),
  ofRules('## How often: `limits`', 'limits', '| member | means | default | example |'),
  ofRules('## How it is ordered: `order`', 'order', '| member | means | default | example |'),
  ofRules('## When to sell: `exit`', 'exit', '| member | means | example |'),
];

/** What is before a table of the page, the table without its titles, and what is after it. */
function parted({ page, below, titles }: Made): readonly [before: string, table: string, after: string] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const start = text.indexOf(`\n${titles}\n`, text.indexOf(`${below}\n`)) + titles.length + 2;
  const end = `${text}\n`.indexOf('\n\n', start);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

it.each(TABLES)('$page has the table below "$below" of the source, row by row', (made) => {
  const { page, below, titles, rows } = made;
  const line = `|${'---|'.repeat(titles.split('|').length - 2)}`;
  const table = [line, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
  const [before, written, after] = parted(made);
  expect(before.split('\n')).toEqual(expect.arrayContaining([below, titles]));
  if (WRITES) writeFileSync(join(ROOT, page), `${before}${table}${after}`);
  else expect(written).toBe(table);
});
