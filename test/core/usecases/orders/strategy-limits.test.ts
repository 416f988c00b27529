import { describe, expect, it, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { BetLimits, RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import type { Automation } from '../../../../src/core/strategy/rules/trading-rules.js';
import { strategyScope } from '../../../../src/core/trading/state.js';
import { found } from '../../../support/audited.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  clockAt,
  type DraftChanges,
  NOON,
  price,
  shares,
  usdc,
} from '../../../support/builders.js';
import { QuotedMarkets } from '../../../support/quoted-markets.js';
import { ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

const MINUTE = 60_000;
const GAME = { id: 'game', slug: null, title: null };

/** A strategy with a bankroll of 200, whose orders on paper fill whole at their limits. */
async function fixture(limits?: BetLimits, automation: Automation = 'auto', paper?: ScriptedSimulator) {
  const clock = clockAt(NOON);
  const markets = new QuotedMarkets();
  const find = markets.find.bind(markets);
  markets.find = async (id: MarketId) => ({ ...(await find(id)), event: GAME, exclusiveSet: 'game' });
  const context = anOrderContext({ clock });
  const trader = new Trading(new MemoryLedger(), { context, markets, ...(paper && { paper }) });
  const rules: RulesDraft = {
    match: {},
    filter: {},
    sizing: { method: 'flat', value: usdc('10') },
    outcome: { index: 0 },
    ...(limits && { limits }),
  };
  const strategy = await trader.strategy({ rules, automation, bankrollCap: usdc('200'), stakeCap: usdc('200') });
  const place = (draft: DraftChanges = {}) => trader.place({ strategyId: strategy.id, ...draft });
  return {
    trader,
    clock,
    markets,
    strategy,
    place,
    code: async (draft: DraftChanges = {}) => (await place(draft)).refusal?.code ?? 'placed',
    message: async (draft: DraftChanges = {}) => (await place(draft)).refusal?.message,
    states: async () => (await trader.use.trading.read.now(ALICE)).states,
    automate: (to: Automation) =>
      trader.changeStrategy.execute({
        account: ALICE,
        strategyId: strategy.id,
        patch: { automation: to },
        precondition: null,
        route: 'strategies.change',
        idempotencyKey: null,
      }),
  };
}

const other = (marketId: string, draft: DraftChanges = {}) => ({ marketId: marketId as MarketId, ...draft });

describe('A strategy that trades by itself', () => {
  it('risks at most a twentieth of its bankroll per event by default', async () => {
    const it = await fixture();
    expect(await it.code({ size: usdc('6') })).toBe('placed');
    expect(await it.message(other('draw', { size: usdc('5') }))).toBe(
      'The strategy could lose more in this event than it may (event_loss of its rules): lost=11, cap=10.',
    );
    expect(await it.code(other('draw', { size: usdc('4') }))).toBe('placed');
    expect(await it.code(other('draw', { size: usdc('0.5') }))).toBe('event_loss_exceeded');
    // Whichever of the two comes true, its 12 or 8 shares pay: what loses with it is bought back for less.
    expect(await it.code({ outcome: 'NO', price: price('0.4'), size: usdc('3') })).toBe('placed');
    expect(await it.code({ side: 'SELL', size: usdc('1') })).toBe('placed');
    // An order without the strategy is none of its business.
    expect((await it.trader.place({ size: usdc('50') })).refusal).toBe(null);
    expect(await found(it.trader.ledger)).toEqual([]);
  });

  it('counts the fees of its open positions against its bankroll', async () => {
    const it = await fixture({ eventLoss: null }, 'auto', new ScriptedSimulator());
    const order = await it.place({ size: usdc('150') });
    const fill = anExecution({ shares: shares('300'), fee: usdc('4'), confirmed: true });
    await it.trader.book(order, (posting) => posting.fill(fill));
    expect(await it.message({ size: usdc('46.5') })).toBe(
      "The order is above what is left of the strategy's bankroll: 154 at work, order 46.5, bankroll cap 200.",
    );
    expect(await it.code({ size: usdc('46') })).toBe('placed');
    expect(await found(it.trader.ledger)).toEqual([]);
  });

  it('keeps its daily bet cap when the clock moves back a day', async () => {
    const it = await fixture({ maxBetsPerDay: 2 });
    for (const expected of ['placed', 'placed', 'max_bets_exceeded'])
      expect(await it.code({ size: usdc('1') })).toBe(expected);
    it.clock.tick(24 * 60 * MINUTE);
    for (const expected of ['placed', 'placed', 'max_bets_exceeded'])
      expect(await it.code({ size: usdc('1') })).toBe(expected);
    it.clock.tick(-24 * 60 * MINUTE);
    expect(await it.code({ size: usdc('1') })).toBe('max_bets_exceeded');
  });

  it('counts what rests as it counts what is filled', async () => {
    const it = await fixture({}, 'auto', new ScriptedSimulator());
    expect(await it.code({ size: usdc('6') })).toBe('placed');
    expect(await it.code(other('draw', { size: usdc('4.5') }))).toBe('event_loss_exceeded');
    expect(await it.code(other('draw', { size: usdc('4') }))).toBe('placed');
  });

  test.each([
    [{ eventLoss: usdc('50') }, 'auto'],
    [{ eventLoss: null }, 'auto'],
    [undefined, 'off'],
  ] as const)('risks more with %o and automation %s', async (limits, automation) => {
    expect(await (await fixture(limits, automation)).code({ size: usdc('30') })).toBe('placed');
  });

  it('is bound by the limits in its rules even with automation off', async () => {
    const it = await fixture({ eventLoss: usdc('5') }, 'off');
    expect(await it.code({ size: usdc('5.5') })).toBe('event_loss_exceeded');
  });

  it('buys no more after losing a tenth of its bankroll that day', async () => {
    const it = await fixture({ eventLoss: null });
    await it.place({ size: usdc('100') });
    expect(await it.code({ size: usdc('1') })).toBe('placed');
    await it.place({ side: 'SELL', price: price('0.4'), size: usdc('40') });
    expect(await it.code({ size: usdc('1') })).toBe('placed');
    // The last 102 shares are marked at 0.5; now they could be sold for a tenth less.
    it.markets.bids.set('will-it-rain' as MarketId, '0.4x1000');
    it.clock.tick(3000);
    expect(await it.message({ size: usdc('1') })).toBe(
      'The strategy has lost today what it may lose in a day (daily_loss of its rules): lost=20.4, cap=20.',
    );
    expect(await it.code({ side: 'SELL', price: price('0.4'), size: usdc('10') })).toBe('placed');
    expect(await it.states()).toEqual([]);
    it.clock.tick(24 * 60 * MINUTE);
    expect(await it.code({ size: usdc('1') })).toBe('placed');
  });

  it('may lose less than that in a day, and not as much', async () => {
    const it = await fixture({ eventLoss: null });
    await it.place({ size: usdc('100') });
    const fallsTo = async (bid: string) => {
      it.markets.bids.set('will-it-rain' as MarketId, `${bid}x1000`);
      it.clock.tick(3000);
      return it.message({ size: usdc('1') });
    };
    expect(await fallsTo('0.41')).toBeUndefined();
    expect(await it.code({ side: 'SELL', price: price('0.5'), size: usdc('1') })).toBe('placed');
    expect(await fallsTo('0.4')).toBe(
      'The strategy has lost today what it may lose in a day (daily_loss of its rules): lost=20, cap=20.',
    );
  });

  it('buys nothing while what it holds cannot be marked', async () => {
    const it = await fixture();
    await it.place({ size: usdc('5') });
    it.markets.silent.add('will-it-rain' as MarketId);
    it.clock.tick(3000);
    expect(await it.code(other('draw', { size: usdc('1') }))).toBe('market_data_stale');
  });

  it('places no more bets per day than its rules allow', async () => {
    const it = await fixture({ maxBetsPerDay: 2 });
    for (const size of ['1', '2']) expect(await it.code({ size: usdc(size) })).toBe('placed');
    expect(await it.message()).toBe(
      'The strategy has bet today as often as it may (max_bets_per_day of its rules): counted=2, cap=2.',
    );
    expect(await it.code({ side: 'SELL', size: usdc('1') })).toBe('placed');
    it.clock.tick(12 * 60 * MINUTE);
    expect(await it.code({ size: usdc('1') })).toBe('placed');
  });
});

describe('A strategy that is filled in one outcome five times within ten minutes', () => {
  it('only sells, until a person lets it go on', async () => {
    const it = await fixture();
    for (let n = 0; n < 5; n += 1) {
      expect(await it.code({ size: usdc('1') })).toBe('placed');
      it.clock.tick(2 * MINUTE - 1000);
    }
    expect(await it.message({ size: usdc('1') })).toBe(
      'The strategy was filled in one outcome 5 times within 10 minutes: counted=5, cap=5.',
    );
    expect(await it.message(other('draw', { size: usdc('1') }))).toMatch(
      /: The strategy was filled in one outcome 5 times/,
    );
    expect(await it.code({ side: 'SELL', size: usdc('1') })).toBe('placed');
    expect((await it.trader.place({ size: usdc('1') })).refusal).toBe(null);
    const scope = strategyScope(it.strategy.id);
    expect(await it.states()).toMatchObject([
      { scope, state: 'reducing', stops: 'all', by: 'service', code: 'reexecution_throttled', until: null },
    ]);
    const change = { scope, state: 'active', stops: 'all', reason: 'Seen', by: 'me', until: null } as const;
    const may = new Set(['risk:write'] as const);
    await it.trader.use.trading.set.execute({ account: ALICE, change, cancel: false, may, idempotencyKey: null });
    expect(await it.code({ size: usdc('1') })).toBe('placed');
  });

  it('passes where a clock that was twenty hours ahead filled it', async () => {
    const it = await fixture({ eventLoss: null });
    it.clock.tick(20 * 60 * MINUTE);
    for (let n = 0; n < 5; n += 1) expect(await it.code({ size: usdc('1') })).toBe('placed');
    it.clock.tick(-20 * 60 * MINUTE);
    expect(await it.code({ size: usdc('1') })).toBe('placed');
    expect(await it.states()).toEqual([]);
  });

  it('is stopped once it trades by itself, not while a client decides', async () => {
    const it = await fixture(undefined, 'off');
    for (let n = 0; n < 6; n += 1) expect(await it.code({ size: usdc('1') })).toBe('placed');
    await it.automate('auto');
    expect(await it.code({ size: usdc('1') })).toBe('reexecution_throttled');
    await it.automate('off');
    expect(await it.code({ size: usdc('1') })).toBe('trading_reducing');
  });

  it('passes with an older fill, in another outcome, or with automation off', async () => {
    const slow = await fixture();
    for (let n = 0; n < 9; n += 1) {
      expect(await slow.code({ size: usdc('1') })).toBe('placed');
      slow.clock.tick(2 * MINUTE + 1000);
    }
    const off = await fixture(undefined, 'off');
    for (let n = 0; n < 9; n += 1) expect(await off.code({ size: usdc('1') })).toBe('placed');
    const two = await fixture({ eventLoss: null });
    for (const marketId of ['one', 'two'])
      for (let n = 0; n < 5; n += 1) expect(await two.code(other(marketId, { size: usdc('1') }))).toBe('placed');
  });
});
