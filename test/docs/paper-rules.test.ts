import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { formatMicro } from '../../src/core/money.js';
import { matchingRows, played } from '../core/matching/rows.js';
import { ROOT } from '../support/build.js';
import { price, usdc } from '../support/builders.js';
import { trading } from '../support/trading.js';

/** The page, and the choices that lie beside the adapter of the venue. */
const page = ['docs/paper.md', 'src/adapters/polymarket/polymarket.md']
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');
const rows = matchingRows('paper-rules.jsonl');

/** Each rule of the page, with its line. */
const rules = new Map(
  page.split('\n').flatMap((line) => {
    const [, name] = /^\| \*\*(.+?)\*\*/.exec(line) ?? [];
    return name === undefined ? [] : [[name, line] as const];
  }),
);

/** Rules that no book can show, and the tests that prove them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Settled like the venue': 'core/usecases/markets/background/settle-market.test.ts',
  'Unknown fee': 'adapters/paper/book-exchange.test.ts',
  'Without market data': 'docs/paper-rules.test.ts',
  'A GTD order has two minutes': 'docs/paper-rules.test.ts',
  'A tape gives the same at every speed': 'adapters/tape/tape-time.test.ts',
  'A tape is played again from its beginning': 'e2e/tape-restart.test.ts',
  'On its way at a kill': 'adapters/paper/in-flight.test.ts',
  'Live data after a restart': 'adapters/paper/orders-from-before.test.ts',
  'Taken stays taken over a restart': 'adapters/paper/taken-levels.test.ts',
  'One owner on Postgres': 'e2e/paper-owner.test.ts',
  Resets: 'core/usecases/accounts/reset-paper-account.test.ts',
  Bounds: 'core/posting/limits.test.ts',
};

/** The numbers of a reported fill: its shares, its price and its fee if not 0. */
function numbersOf(report: string): string[] {
  const [, shares = '', at = '', fee = ''] = / fill (\S+) @ (\S+) fee (\S+)/.exec(report) ?? [];
  return [shares, at, fee].filter((number) => number !== '' && number !== '0');
}

describe('The page about paper trading', () => {
  it('lists exactly the paper trading rules that are tested', () => {
    const tested = [...rows.map(({ name }) => name), ...Object.keys(ELSEWHERE)];
    expect(tested.sort()).toEqual([...rules.keys()].sort());
    for (const file of Object.values(ELSEWHERE)) expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain('it');
  });

  it.each(rows)('$name', (row) => {
    expect(played(row)).toEqual(row.expect);
    const words = (rules.get(row.name) ?? '').split(/[^0-9.]+/).map((word) => word.replace(/\.$/, ''));
    for (const report of Object.values(row.expect).flat())
      expect(words).toEqual(expect.arrayContaining(numbersOf(report)));
  });

  it('says what an order without market data fills for', async () => {
    const order = await trading(new MemoryLedger()).place({ price: price('0.57'), size: usdc('10') });
    const { shares, notional, fees } = order.filled;
    expect([shares, notional, fees].map(formatMicro)).toEqual(['17.54', '9.9978', '0']);
    expect(rules.get('Without market data')).toContain('17.54 shares for 9.9978');
  });
});
