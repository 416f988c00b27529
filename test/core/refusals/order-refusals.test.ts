import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { SigningRefused } from '../../../src/adapters/polymarket/signing/signing-refused.js';
import { LIMIT_CODES } from '../../../src/core/limits/limits.js';
import { CANCELLATION_UNKNOWN, IDENTITY_MISMATCH, NEVER_ARRIVED } from '../../../src/core/order/lifecycle.js';
import { ORDER_REFUSALS, refusingState } from '../../../src/core/refusals/order-refusals.js';
import { startApp } from '../../support/app.js';
import { ROOT } from '../../support/build.js';
import { nodesOf, parse, type Source, sourcesIn } from '../../support/sources.js';

/** What a refusal is made with: ours, and those of the table of what a real exchange answers. */
const MAKERS = ['refusal', 'rejected', 'halted', 'later'];
/** Made where it is decided whether the same bytes may follow. */
const UNAUTHORIZED = 'unauthorized';
/** Why an account is halted, not an order refused, or one that is `unknown`; and what stands where a venue gave no code. */
const OTHERS = ['halted_by_operator', 'contradiction', ''];

/** Codes of refusals of orders: the first word given to a maker, and `code` beside a `message`. */
function codesIn(source: Source): string[] {
  const called = nodesOf(source, ts.isCallExpression)
    .filter(({ expression }) => MAKERS.includes(expression.getText()))
    .map(({ arguments: [code] }) => code);
  const written = nodesOf(source, ts.isObjectLiteralExpression)
    .filter(({ properties }) => properties.some(({ name }) => name?.getText() === 'message'))
    .flatMap(({ properties }) => properties.filter(ts.isPropertyAssignment))
    .filter(({ name }) => name.getText() === 'code')
    .map(({ initializer }) => initializer);
  return [...called, ...written].filter((code) => code !== undefined && ts.isStringLiteralLike(code)).map(textOf);
}

const textOf = (node: ts.Node | undefined): string => (node as ts.StringLiteralLike).text;

describe('The list of refused orders', () => {
  test('explains every code that an order is given, and no other', () => {
    const made = sourcesIn('src/core', 'src/adapters/paper', 'src/adapters/polymarket', 'src/adapters/kalshi').flatMap(
      codesIn,
    );
    const codes = new Set([
      ...made,
      ...Object.values(LIMIT_CODES),
      NEVER_ARRIVED,
      CANCELLATION_UNKNOWN,
      IDENTITY_MISMATCH,
      UNAUTHORIZED,
      new SigningRefused('key', '').code,
    ]);
    for (const code of OTHERS) codes.delete(code);
    expect([...codes].sort()).toEqual(Object.keys(ORDER_REFUSALS).sort());
  });

  test('would miss no code, in whichever form it is written', () => {
    const probe = `const a = refusal('one', 'One.'); const b = { code: 'two', message: 'Two.' };`;
    expect(codesIn(parse('src/core/probe.ts', probe))).toEqual(['one', 'two']);
  });

  test('names the states that refuse a bet at every price', () => {
    const states = Object.keys(ORDER_REFUSALS).map((code) => [code, refusingState(code)] as const);
    expect(Object.fromEntries(states.filter(([, state]) => state !== null))).toEqual({
      max_open_exceeded: 'open',
      max_bets_exceeded: 'day',
      other_outcome_held: 'held',
      trading_halted: 'trading',
      trading_reducing: 'trading',
    });
  });

  test('is the same in the documentation and on the server', async () => {
    const written = readFileSync(join(ROOT, 'docs/refusals.md'), 'utf8');
    const { client } = await startApp();
    const served = (await client.get('/refusals')).text;
    for (const [code, [by, help]] of Object.entries(ORDER_REFUSALS)) {
      expect(written).toContain(`| \`${code}\` | ${by} | ${help} |`);
      expect(served).toContain(`<code>${code}</code> (${by})`);
    }
  });
});
