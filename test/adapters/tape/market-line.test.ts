import { expect, it } from 'vitest';
import { presentMarket } from '../../../src/adapters/http/market-wire.js';
import { marketLineOf } from '../../../src/adapters/tape/market-line.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import { parseMicro, price, shares, usdc } from '../../../src/core/money.js';
import { listed, START } from './tapes.js';

/** A market of which everything is known. */
const KNOWN = listed('rain', {
  question: 'Will it rain?',
  outcomes: [
    { label: 'Rain', tokenId: '11' },
    { label: 'Sun', tokenId: '12' },
  ],
  event: { id: '7', slug: 'weather', title: 'The weather' },
  sport: 'weather',
  league: 'london',
  kind: 'total',
  line: '2.5',
  role: 'home',
  exclusiveSet: 'set-1',
  startsAt: new Date(START),
  status: 'resolved',
  payout: YES_WON,
  lot: shares('0.01'),
  terms: {
    tick: price('0.01'),
    minShares: shares('5'),
    minNotional: usdc('1'),
    fee: {
      rate: parseMicro('0.05'),
      exponent: 1,
      takerOnly: false,
      asOf: new Date(START),
      makerRate: parseMicro('0.02'),
      rounding: { step: usdc('0.0001'), to: 'up', each: 'fill', balanceStep: usdc('0.01') },
    },
    negRisk: true,
    acceptingOrders: true,
    delaySeconds: 3,
    clearsBookAtStart: true,
    gtdLeadMs: 120_000,
    quoteStep: usdc('0.01'),
    bands: [{ from: price('0.9'), step: price('0.001') }],
    netsOutcomes: true,
  },
});

/** The members of a record that hold no others, by their paths. */
function membersIn(value: unknown, path: readonly string[] = []): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([name, member]) => membersIn(member, [...path, name]));
}

it('tapes and answers write a market alike, but for these members', () => {
  const [onTape, answered] = [new Map(membersIn(marketLineOf(KNOWN))), new Map(membersIn(presentMarket(KNOWN)))];
  const shared = [...onTape].filter(([name]) => answered.has(name));
  expect(shared).toHaveLength(39);
  expect(shared).toEqual(shared.map(([name]) => [name, answered.get(name)]));
  const only = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
    Object.fromEntries([...a].filter(([name]) => !b.has(name)));
  expect(only(onTape, answered)).toEqual({
    role: 'home',
    'payout.0': '1',
    'payout.1': '0',
    'terms.min_notional': '1',
    'terms.quote_step': '0.01',
  });
  expect(only(answered, onTape)).toEqual({
    'outcomes.0.token': 'YES',
    'outcomes.1.token': 'NO',
    outcome_role: 'home',
    'payout.yes': '1',
    'payout.no': '0',
    'terms.min_notional_usdc': '1',
    'terms.quote_step_usdc': '0.01',
    venue: 'test',
  });
});
