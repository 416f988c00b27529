import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import type { Market } from '../../../src/core/market/market.js';
import { aFee, anOpenMarket } from '../../core/matching/view.js';
import { ALICE, countingIds, price, shares, usdc } from '../../support/builders.js';
import { type Action, TapeSession } from '../../support/tape-session.js';
import { described, level, line, pastNoon, tape } from '../tape/tapes.js';

type Lot = readonly [at: string, size: string];

/** A purchase of 20 shares at up to 0.5, for 10 USDC, from these offers; twice on one tape, as after a restart. */
async function bought(
  timeInForce: 'GTC' | 'FOK' | 'FAK',
  offers: readonly Lot[],
  rate = '0',
  market = anOpenMarket({ fee: aFee(rate) }),
) {
  const asks = offers.map(([at, size]) => level(at, size));
  const played = tape(
    line(0, described(market), market),
    line(1, { type: 'book', bids: [], asks }, market),
    line(9000, { type: 'trade', taker: 'BUY', price: price('0.9'), shares: shares('1') }, market),
  );
  const ask = { account: ALICE, outcome: 'YES', side: 'BUY', price: price('0.5'), shares: shares('20') } as const;
  const action: Action = { type: 'order', at: pastNoon(1000), key: 'one', ask: { ...ask, timeInForce } };
  const ledger = new MemoryLedger();
  const faults: unknown[] = [];
  for (const _ of ['first', 'again']) {
    const session = new TapeSession(ledger, played, countingIds, 150);
    await session.play([action]);
    faults.push(...session.faults);
  }
  const [order] = await ledger.listOrders(ALICE, {}, { limit: 5 });
  const balance = await ledger.findBalance(ALICE, PAPER_CASH);
  return { order, balance, faults };
}

/** The market as a venue has it that counts every order in shares. */
function sharesBind(market: Market): Market {
  if (market.terms === null) return market;
  const { quoteStep: _, ...terms } = market.terms;
  return { ...market, terms };
}

describe('A FOK or FAK BUY on paper', () => {
  it.each(['FOK', 'FAK'] as const)('spends its dollars: %s', async (timeInForce) => {
    const { order, balance, faults } = await bought(timeInForce, [['0.4', '100']]);
    expect(order).toMatchObject({ state: 'filled', filled: { shares: shares('25'), notional: usdc('10') } });
    expect(balance).toMatchObject({ cash: usdc('70'), reserved: usdc('0') });
    expect(faults).toEqual([]);
  });

  it.each(['FOK', 'FAK'] as const)('gets the shares it ordered, no more, where shares bind it: %s', async (kind) => {
    const { order, balance } = await bought(kind, [['0.4', '100']], '0', sharesBind(anOpenMarket()));
    expect(order).toMatchObject({ state: 'filled', filled: { shares: shares('20'), notional: usdc('8') } });
    expect(balance).toMatchObject({ cash: usdc('72'), reserved: usdc('0') });
  });

  it('keeps spending where one level covered all of its shares', async () => {
    const { order, balance, faults } = await bought('FAK', [
      ['0.2', '30'],
      ['0.4', '100'],
    ]);
    expect(order?.fills.map((fill) => fill.shares)).toEqual([shares('30'), shares('10')]);
    expect(order).toMatchObject({ state: 'filled', filled: { shares: shares('40'), notional: usdc('10') } });
    expect(balance).toMatchObject({ cash: usdc('70'), reserved: usdc('0'), outstanding: shares('40') });
    expect(faults).toEqual([]);
  });

  it('is filled when its shares fill but dollars are left over', async () => {
    const { order, balance, faults } = await bought('FAK', [['0.4', '22']]);
    expect(order).toMatchObject({ state: 'filled', filled: { shares: shares('22'), notional: usdc('8.8') } });
    expect(balance).toMatchObject({ cash: usdc('71.2'), reserved: usdc('0') });
    expect(faults).toEqual([]);
  });

  it('is killed as FOK when its dollars cannot all be spent', async () => {
    const { order, balance } = await bought('FOK', [['0.4', '22']]);
    expect(order).toMatchObject({ state: 'rejected', refusal: { code: 'fok_not_filled' } });
    expect(balance).toMatchObject({ cash: usdc('80'), reserved: usdc('0'), outstanding: shares('0') });
  });

  it('pays its fees on top of them', async () => {
    const { order, balance } = await bought('FAK', [['0.4', '100']], '0.05');
    expect(order?.filled).toMatchObject({ notional: usdc('10'), fees: usdc('0.3') });
    expect(balance).toMatchObject({ cash: usdc('69.7'), reserved: usdc('0') });
  });
});

it('A GTC BUY on paper is bound by its shares', async () => {
  const { order } = await bought('GTC', [['0.4', '100']]);
  expect(order?.filled).toMatchObject({ shares: shares('20'), notional: usdc('8') });
});
