import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { MemoryBets } from '../../../../src/adapters/memory/memory-bets.js';
import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { PAPER_CASH } from '../../../../src/core/account/account.js';
import type { MarketId, StrategyId } from '../../../../src/core/ids.js';
import { NO_WON, type Payout, SPLIT, YES_WON } from '../../../../src/core/market/lifecycle.js';
import { NO_VENUE, type OutcomeSide } from '../../../../src/core/market/market.js';
import type { BetRow } from '../../../../src/core/performance/bet.js';
import { type KeptSums, RESULTS_BY, sumName, sumsByKey } from '../../../../src/core/performance/kept-sums.js';
import { KeepBets } from '../../../../src/core/usecases/bets/background/keep-bets.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import { someBets } from '../../../support/backtest-runs.js';
import { ALICE, MARKET, price, shares, usdc, WHERE } from '../../../support/builders.js';
import { migratedSqliteFile } from '../../../support/databases.js';
import { liveFixture } from '../../../support/live-fixture.js';
import { Trading } from '../../../support/trading.js';

const HALF_PAID: Payout = [usdc('0.3'), usdc('0.7')];

async function betsIn(ledger: Ledger): Promise<readonly BetRow[]> {
  return (await ledger.bets.list(ALICE, {}, { limit: 1000 })).toReversed();
}

function fixture(ledger: Ledger = new MemoryLedger()) {
  const trading = new Trading(ledger);
  return {
    trading,
    settle: (payout: Payout) => trading.use.markets.settle.execute(WHERE, payout),
    async bets() {
      await trading.use.bets.keep.execute(ALICE);
      return betsIn(ledger);
    },
  };
}

describe('The bets of an account', () => {
  it('begin with a purchase, and end won with what the result pays', async () => {
    const { trading, settle, bets } = fixture();
    const order = await trading.place({ price: price('0.5'), size: usdc('10') });
    const [open] = await bets();
    expect(open).toMatchObject({ id: order.id, result: 'open', stake: usdc('10'), held: shares('20'), side: 'BACK' });
    await settle(YES_WON);
    const [won, ...others] = await bets();
    expect(won).toMatchObject({ result: 'won', payout: usdc('1'), paid: usdc('20'), profit: usdc('10') });
    expect(others).toEqual([]);
  });

  it('are one until flat; a later purchase opens another', async () => {
    const { trading, bets } = fixture();
    const first = await trading.place({ size: usdc('10') });
    const second = await trading.place({ size: usdc('5') });
    const sale = await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('18') });
    const third = await trading.place({ size: usdc('1') });
    expect(await bets()).toMatchObject([
      { orderIds: [first.id, second.id, sale.id], result: 'closed_early', soldFor: usdc('18'), profit: usdc('3') },
      { orderIds: [third.id], result: 'open' },
    ]);
  });

  it('are those of each strategy and of the client, though the outcome is one', async () => {
    const { trading, bets } = fixture();
    const strategy = await trading.strategy();
    await trading.place({ size: usdc('10'), strategyId: strategy.id });
    await trading.place({ size: usdc('5') });
    expect((await bets()).map((bet) => [bet.strategy?.id ?? null, bet.stake])).toEqual([
      [strategy.id, usdc('10')],
      [null, usdc('5')],
    ]);
  });

  it('give a sale by hand its own shares first, then those of strategies', async () => {
    const { trading, bets } = fixture();
    const strategy = await trading.strategy();
    await trading.place({ size: usdc('10'), strategyId: strategy.id });
    await trading.place({ size: usdc('5') });
    await trading.place({ side: 'SELL', price: price('0.5'), size: usdc('7') });
    expect((await bets()).map(({ held, soldFor, result }) => [held, soldFor, result])).toEqual([
      [shares('16'), usdc('2'), 'open'],
      [shares('0'), usdc('5'), 'closed_early'],
    ]);
  });

  it('are paid anew where a result is amended', async () => {
    const { trading, settle, bets } = fixture();
    await trading.place({ size: usdc('10') });
    await settle(YES_WON);
    await bets();
    await settle(NO_WON);
    expect(await bets()).toMatchObject([{ result: 'lost', paid: usdc('0'), profit: -usdc('10') }]);
    await settle(SPLIT);
    expect(await bets()).toMatchObject([{ result: 'split', paid: usdc('10'), profit: usdc('0') }]);
  });

  it('lose a fill that the venue undid, and open again where it closed them', async () => {
    const { place, fill, record, trading } = await liveFixture();
    const bets = async () => {
      await trading.use.bets.keep.execute(ALICE);
      return betsIn(trading.ledger);
    };
    const order = await fill(await place(), { tradeId: 't1' });
    await fill(await place({ side: 'SELL', size: usdc('4') }), { tradeId: 't2', shares: shares('8') });
    const sale = await fill(await place({ side: 'SELL', size: usdc('6') }), { tradeId: 't3', shares: shares('12') });
    expect(await bets()).toMatchObject([{ result: 'closed_early', soldFor: usdc('10') }]);
    await record(sale, { type: 'fill_voided', tradeId: 't3', resting: false, reason: 'it failed on the chain' });
    expect(await bets()).toMatchObject([
      { id: order.id, result: 'open', held: shares('12'), soldFor: usdc('4'), settledAt: null },
    ]);
  });

  it('of very many orders are changed by the newest of them alone', async () => {
    const { trading, bets } = fixture();
    const ids: string[] = [];
    for (let n = 0; n < 620; n += 1) ids.push((await trading.place({ size: usdc('0.5') })).id);
    expect((await bets()).map(({ orderIds }) => orderIds)).toEqual([ids]);
    const [found] = await trading.ledger.bets.find(ALICE, {});
    expect(found?.orderIds.length).toBeLessThan(500);
    ids.push((await trading.place({ side: 'SELL', price: price('0.5'), size: usdc('100') })).id);
    expect(await bets()).toMatchObject([{ orderIds: ids, held: shares('420'), soldFor: usdc('100') }]);
  });

  it('of very many orders lose a fill that the venue undid', async () => {
    const { place, fill, record, trading } = await liveFixture();
    const keep = () => trading.use.bets.keep.execute(ALICE);
    const ids: string[] = [];
    for (let n = 0; n < 520; n += 1)
      ids.push((await fill(await place({ size: usdc('0.01') }), { tradeId: `t${n}`, shares: shares('0.02') })).id);
    await keep();
    expect((await trading.ledger.bets.ordersOf(ALICE, [ids[0] ?? ''])).length).toBe(1);
    const sale = await fill(await place({ side: 'SELL', size: usdc('1') }), { tradeId: 's', shares: shares('2') });
    await keep();
    await record(sale, { type: 'fill_voided', tradeId: 's', resting: false, reason: 'it failed on the chain' });
    await keep();
    expect(await betsIn(trading.ledger)).toMatchObject([{ orderIds: ids, soldFor: usdc('0'), held: shares('10.4') }]);
  });

  it('are worth what the account is worth less what it began with', async () => {
    const { trading, bets } = fixture();
    await trading.place({ size: usdc('10') });
    await trading.place({ outcome: 'NO', size: usdc('20') });
    const [first, second] = await bets();
    expect([first?.equityAtEntry, first?.atRisk]).toEqual([usdc('1000'), usdc('0')]);
    expect([second?.equityAtEntry, second?.atRisk]).toEqual([usdc('1000'), usdc('10')]);
  });

  it('that were open are gone after the paper account began anew', async () => {
    const { trading, settle, bets } = fixture();
    await trading.place({ size: usdc('10') });
    await settle(YES_WON);
    await trading.place({ marketId: 'another' as MarketId, size: usdc('10') });
    expect(await bets()).toHaveLength(2);
    await trading.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    expect(await bets()).toMatchObject([{ result: 'won' }]);
    const head = await trading.ledger.bets.head(ALICE);
    expect(head?.books.get('paper')).toEqual({
      cash: usdc('1000'),
      atRisk: usdc('0'),
      resets: 1,
      opening: usdc('1000'),
    });
  });
});

const MARKETS = [MARKET, 'another' as MarketId];
const outcome = fc.constantFrom<OutcomeSide>('YES', 'NO');
const market = fc.nat(1);

const ACTIONS = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('trade' as const),
        by: fc.nat(2),
        outcome,
        market,
        side: fc.constantFrom('BUY' as const, 'SELL' as const),
        cents: fc.integer({ min: 1, max: 99 }),
        size: fc.integer({ min: 1, max: 30 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        payout: fc.constantFrom(YES_WON, NO_WON, SPLIT, HALF_PAID),
        market,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'keep' as const }) },
  ),
  { minLength: 1, maxLength: 40 },
);

type Action = typeof ACTIONS extends fc.Arbitrary<(infer One)[]> ? One : never;

/** What a sale lacks, and what is busy, is refused: then nothing happens. */
async function act(trading: Trading, strategies: readonly (StrategyId | null)[], action: Action): Promise<unknown> {
  const { bets, accounts, markets } = trading.use;
  if (action.kind === 'keep') return bets.keep.execute(ALICE);
  if (action.kind === 'reset')
    return accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null }).catch(() => {});
  const marketId = MARKETS[action.market] as MarketId;
  if (action.kind === 'settle') return markets.settle.execute({ venue: NO_VENUE, marketId }, action.payout);
  const { by, outcome, side, cents, size } = action;
  const amounts = { price: price(`0.${`${cents}`.padStart(2, '0')}`), size: usdc(`${size}`) };
  return trading.place({ strategyId: strategies[by] ?? null, outcome, marketId, side, ...amounts });
}

/** Opens an empty store for each history. */
type Opening = () => Promise<{ readonly ledger: Ledger; close(): Promise<void> }>;

const STORES: readonly (readonly [name: string, histories: number, open: Opening])[] = [
  ['memory', 60, async () => ({ ledger: new MemoryLedger(), close: async () => {} })],
  [
    'SQLite',
    12,
    async () => {
      const file = await migratedSqliteFile();
      const ledger = await openSqlLedger(file.url);
      return { ledger, close: () => ledger.close().finally(file.remove) };
    },
  ],
];

async function expectAgreement(ledger: Ledger, actions: readonly Action[]): Promise<void> {
  const trading = new Trading(ledger);
  const strategies = [null, (await trading.strategy()).id, (await trading.strategy()).id];
  for (const action of actions) await act(trading, strategies, action);
  await trading.use.bets.keep.execute(ALICE);
  const balance = await ledger.findBalance(ALICE, PAPER_CASH);
  const head = await ledger.bets.head(ALICE);
  expect(head?.books.get('paper')?.cash).toBe(head?.books.has('paper') ? balance?.cash : undefined);
  const positions = await ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 100 });
  const open = (await betsIn(ledger)).filter(({ result }) => result === 'open');
  for (const position of positions) {
    const held = open.filter((bet) => bet.marketId === position.marketId && bet.outcome === position.outcome);
    expect(held.reduce((sum, bet) => sum + bet.held, 0n)).toBe(position.shares);
  }
}

describe('The bets of any history', () => {
  it.each(STORES)(
    'add up to the cash and the shares of the account, in %s',
    async (_, numRuns, open) => {
      await fc.assert(
        fc.asyncProperty(ACTIONS, async (actions) => {
          const { ledger, close } = await open();
          await expectAgreement(ledger, actions).finally(close);
        }),
        { numRuns },
      );
    },
    60_000,
  );
});

const byName = (rows: readonly KeptSums[]) =>
  new Map(rows.filter(({ sums }) => sums.of.all > 0n).map((row) => [sumName(row), row]));

const utcDay = (at: Date) => at.toISOString().slice(0, 10);

describe('The sums of an event', () => {
  it('count it once, though its bets ended at different times', async () => {
    const { trading, settle, bets } = fixture();
    await trading.place({ size: usdc('10') });
    await trading.place({ side: 'SELL', price: price('0.6'), size: usdc('12') });
    await bets();
    await trading.place({ size: usdc('5') });
    await settle(YES_WON);
    const all = await bets();
    expect(all.map(({ result }) => result)).toEqual(['closed_early', 'won']);
    const kept = await trading.ledger.bets.sums(ALICE, { by: 'phase' });
    expect(kept.map(({ sums }) => [sums.returns.events, sums.returns.profit])).toEqual([[1, usdc('7')]]);
    expect(byName(await trading.ledger.bets.sums(ALICE, {}))).toEqual(byName(sumsByKey(all, utcDay)));
  });
});

describe('The sums of any history', () => {
  it('equal sums made anew of all bets, however often they were kept', async () => {
    await fc.assert(
      fc.asyncProperty(ACTIONS, async (actions) => {
        const ledger = new MemoryLedger();
        const trading = new Trading(ledger);
        const strategies = [null, (await trading.strategy()).id, (await trading.strategy()).id];
        for (const action of actions) await act(trading, strategies, action);
        await trading.use.bets.keep.execute(ALICE);
        const kept = await ledger.bets.sums(ALICE, {});
        const anew = sumsByKey(await betsIn(ledger), utcDay);
        expect(byName(kept)).toEqual(byName(anew));
      }),
      { numRuns: 60 },
    );
  });
});

describe('Sums made in another way', () => {
  it('are made anew of all bets, with days of the zone of now', async () => {
    const { trading, settle, bets } = fixture();
    await trading.place({ size: usdc('10') });
    await settle(YES_WON);
    await trading.place({ marketId: 'another' as MarketId, size: usdc('10') });
    await bets();
    const dayOf = () => 'tomorrow';
    const zoned = new KeepBets(trading.ledger, trading.use.accounts.events, { dayOf, dayZone: 'Asia/Tokyo' });
    await zoned.execute(ALICE);
    expect(byName(await trading.ledger.bets.sums(ALICE, {}))).toEqual(
      byName(sumsByKey(await betsIn(trading.ledger), dayOf)),
    );
  });

  /** 2,600 bets of so many events in turn, with sums of another form; says how many bets were read at once, and how often others had a turn. */
  async function anewOf(events: number) {
    const bets = new WatchedBets();
    const rows = someBets(2600).map(
      (bet, at) => ({ ...bet, account: ALICE, event: { ...bet.event, id: `${at % events}` } }) as BetRow,
    );
    const head = { seq: 0, books: new Map(), sumsForm: 'another' };
    await bets.advance({ account: ALICE, from: 0, head, bets: rows, gone: [], sums: { anew: false, rows: [] } });
    const { ledger, use } = new Trading(new MemoryLedger());
    let turns = 0;
    const pause = async () => {
      turns += 1;
    };
    const own = { bets, log: ledger.log, listEntries: ledger.listEntries.bind(ledger) };
    await new KeepBets(own, use.accounts.events, { pause }).execute(ALICE);
    return { rows, sums: await bets.sums(ALICE, {}), most: Math.max(...bets.reads), turns };
  }

  it.each([1, 130, 2600])('count each of %d events once, though its bets lie on several pages', async (events) => {
    const { rows, sums } = await anewOf(events);
    expect(byName(sums)).toEqual(byName(sumsByKey(rows, utcDay)));
  });

  it('are made of few bets at a time, with turns for other work', async () => {
    const { most, turns } = await anewOf(130);
    expect(most).toBeLessThanOrEqual(100);
    expect(turns).toBeGreaterThanOrEqual(2600 / most);
  });

  it('of one event with many bets leave turns between their divisions', async () => {
    expect((await anewOf(1)).turns).toBeGreaterThanOrEqual(RESULTS_BY.length);
  });
});

class WatchedBets extends MemoryBets {
  readonly reads: number[] = [];

  override async find(...asked: Parameters<MemoryBets['find']>): Promise<readonly BetRow[]> {
    const found = await super.find(...asked);
    this.reads.push(found.length);
    return found;
  }
}
