import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tradingRules } from '../../src/core/strategy/rules/trading-rules.js';
import { ROOT } from '../support/build.js';
import { aStrategy } from '../support/builders.js';
import { fenced } from '../support/pages.js';

const PAGE = readFileSync(join(ROOT, 'docs/strategies.md'), 'utf8');
/** How the wire calls a member, where that is not its name in snake_case. */
const WIRE: Readonly<Record<string, string>> = {
  min_liquidity: 'min_liquidity_usdc',
  from: 'window.from',
  to: 'window.to',
};
/** What has its own tables, or stands beside one. */
const OTHERWISE = ['outcome', 'window', 'exit', 'signal', 'sizing', 'reference_edge', 'value'];
const EXIT = ['take_profit', 'stop', 'before_start', 'after', 'edge_below'];

const wireName = (name: string): string => {
  const snake = name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return WIRE[snake] ?? snake;
};

/** Every member that a strategy trades by, as the wire calls it. */
function members(): string[] {
  const rules = tradingRules(aStrategy());
  const inner = [rules.match, rules.filter, rules.limits, rules.order, rules.window, { phase: rules.phase }];
  return [...inner.flatMap((part) => Object.keys(part)).map(wireName), ...EXIT].filter(
    (name) => !OTHERWISE.includes(name),
  );
}

/** The row of a table that begins with the member, as its cells. */
function rowOf(member: string): string[] | undefined {
  const row = PAGE.split('\n').find((line) => line.startsWith('| ') && line.split('|')[1]?.includes(`\`${member}\``));
  return row
    ?.split('|')
    .map((cell) => cell.trim())
    .slice(1, -1);
}

it.each(members())('docs/strategies.md says what %s means, with a figure', (member) => {
  const [name, ...cells] = rowOf(member) ?? [];
  expect(name).toContain(member);
  expect(cells.length).toBeGreaterThanOrEqual(2);
  expect(cells.filter((cell) => cell === '')).toEqual([]);
});

// test/e2e/pages.test.ts makes it at the demo, where it bets.
it('docs/strategies.md begins with the strategy of the demo, whole', () => {
  const [shown] = fenced('docs/strategies.md', 'json', 'sh', 'ts');
  expect(shown?.text.trim()).toBe(readFileSync(join(ROOT, 'examples/cheap-home.json'), 'utf8').trim());
});
