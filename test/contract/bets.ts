import { describe, expect, it } from 'vitest';
import type { MarketId, StrategyId, VenueName } from '../../src/core/ids.js';
import type { Usdc } from '../../src/core/money.js';
import type { BetRow } from '../../src/core/performance/bet.js';
import type { BetFilter } from '../../src/core/performance/bet-filter.js';
import { type BetBook, betOutcome } from '../../src/core/performance/bet-ledger.js';
import type { BetChange } from '../../src/ports/bet-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { aBetRow } from '../support/backtest-runs.js';
import { ALICE, aStrategy, BOB, usdc } from '../support/builders.js';
import { trading } from '../support/trading.js';

type Store = Pick<Ledger, 'bets'>;

const HOUR = 3_600_000;
const ALL = { limit: 1000 } as const;
const at = (hours: number) => new Date(Date.UTC(2026, 2, 1, 12) + hours * HOUR);
const books = (cash: Usdc, resets = 0): ReadonlyMap<string, BetBook> =>
  new Map([['paper', { cash, atRisk: usdc('0.000001'), resets, opening: resets === 0 ? null : usdc('7.000001') }]]);

/** How far bets came, as a change stores it. */
const headAt = (seq: number, held = books(usdc('1000'))): BetChange['head'] => ({
  seq,
  books: held,
  sumsForm: 'form 1',
});

/** The n-th bet of an account, open, opened n hours after the first. */
const open = (n: number, changes: Partial<BetRow> = {}): BetRow =>
  aBetRow({
    id: `bet-${n}`,
    firstFillAt: at(n),
    lastFillAt: at(n),
    settledAt: null,
    payout: null,
    result: 'open',
    close: 'not_started',
    ...changes,
  });

const change = (from: number, bets: readonly BetRow[], changes: Partial<BetChange> = {}): BetChange => ({
  account: ALICE,
  from,
  head: headAt(10 * (from + 1)),
  bets,
  gone: [],
  sums: { anew: false, rows: [] },
  ...changes,
});

const idsOf = (bets: readonly BetRow[]) => bets.map(({ id }) => id);

/** What every store promises of bets. */
export function betStoreContract(ledger: () => Ledger): void {
  describe('the bets of an account', () => {
    it('are found as they were stored, with how far they came', async () => {
      const { bets } = ledger();
      expect([await bets.head(ALICE), await bets.find(ALICE, {})]).toEqual([undefined, []]);
      const whole = open(1, { orderIds: ['a', 'b'] as never, orderSeqs: [4, 7], question: `Köln's "1."? $1 🏀` });
      const bare = open(2, { event: null, strategy: null, atDecision: null, probability: null, startsAt: null });
      const head = headAt(12, books(-usdc('3.000001') as Usdc, 2));
      expect(await bets.advance(change(0, [whole, bare], { head }))).toBe(true);
      expect(await bets.head(ALICE)).toEqual({ version: 1, ...head });
      expect(await bets.find(ALICE, {})).toEqual([whole, bare]);
      expect([await bets.head(BOB), await bets.find(BOB, {})]).toEqual([undefined, []]);
    });

    it('take the place of those with their id, and go by name', async () => {
      const { bets } = ledger();
      await bets.advance(change(0, [open(1), open(2), open(3)]));
      const theirs = open(2, { account: BOB });
      await bets.advance(change(0, [theirs], { account: BOB }));
      const won = aBetRow({ ...open(1), settledAt: at(9), payout: usdc('1'), result: 'won' });
      await bets.advance(change(1, [won, open(4)], { gone: ['bet-2', 'absent'] }));
      expect(await bets.find(ALICE, {})).toEqual([won, open(3), open(4)]);
      expect(await bets.find(BOB, {})).toEqual([theirs]);
      expect((await bets.head(ALICE))?.version).toBe(2);
    });

    it('say how far they are from the last event of their log', async () => {
      const own = ledger();
      const orders = trading(own);
      await orders.place();
      const last = (await own.log.range(ALICE))?.last ?? 0;
      expect(last).toBeGreaterThan(0);
      const none = { version: 0, seq: 0, sumsForm: '' };
      expect(await own.bets.progress(ALICE)).toEqual({ ...none, last });
      await orders.use.bets.keep.execute(ALICE);
      expect(await own.bets.progress(ALICE)).toEqual({ version: 1, seq: last, sumsForm: '1 UTC', last });
      expect(await own.bets.progress(BOB)).toEqual({ ...none, last: 0 });
    });

    it('are found by their outcomes, open or not', async () => {
      const { bets } = ledger();
      const no = open(2, { outcome: 'NO' });
      const live = open(3, { paper: false });
      const elsewhere = open(4, { venue: 'elsewhere' as VenueName });
      const lost = open(5, { result: 'lost', settledAt: at(6), payout: usdc('0') });
      await bets.advance(change(0, [open(1), no, live, elsewhere, lost]));
      const found = async (outcomes: readonly BetRow[], only: { open?: true } = {}) =>
        idsOf(await bets.find(ALICE, { outcomes: outcomes.map(betOutcome), ...only }));
      expect(await found([lost])).toEqual(['bet-1', 'bet-5']);
      expect(await found([lost], { open: true })).toEqual(['bet-1']);
      expect(await found([no, elsewhere])).toEqual(['bet-2', 'bet-4']);
      expect(await found([])).toEqual([]);
      expect(idsOf(await bets.find(ALICE, { open: true }))).toEqual(['bet-1', 'bet-2', 'bet-3', 'bet-4']);
    });

    it('are listed by each filter, newest first, a page at a time', async () => {
      const { bets } = ledger();
      const of = (n: number, changes: Partial<BetRow>) => open(n, changes);
      await bets.advance(
        change(0, [
          of(1, { result: 'won', settledAt: at(5), strategy: { id: 'elo' as StrategyId, version: 2 } }),
          of(2, { result: 'lost', settledAt: at(6), marketId: 'another' as MarketId, strategy: null }),
          of(3, { result: 'closed_early', settledAt: at(7), paper: false, venue: 'elsewhere' as VenueName }),
          of(4, {}),
        ]),
      );
      const cases: readonly (readonly [BetFilter, readonly number[]])[] = [
        [{}, [4, 3, 2, 1]],
        [{ result: 'open' }, [4]],
        [{ result: 'lost' }, [2]],
        [{ result: 'void' }, []],
        [{ marketId: 'another' as MarketId }, [2]],
        [{ strategyId: 'elo' as StrategyId }, [1]],
        [{ paper: false }, [3]],
        [{ paper: true }, [4, 2, 1]],
        [{ venue: 'elsewhere' as VenueName }, [3]],
        [{ placedAfter: at(2) }, [4, 3]],
        [{ placedBefore: at(2) }, [1]],
        [{ settledAfter: at(6) }, [3, 2]],
        [{ settledBefore: at(6) }, [1]],
        [{ settledAfter: at(5), settledBefore: at(7), paper: true, result: 'won' }, [1]],
      ];
      for (const [filter, wanted] of cases)
        expect([filter, idsOf(await bets.list(ALICE, filter, ALL))]).toEqual([filter, wanted.map((n) => `bet-${n}`)]);
      for (const [filter, wanted] of cases) {
        const oldest = idsOf(await bets.list(ALICE, { ...filter, order: 'oldest' }, ALL));
        expect([filter, oldest]).toEqual([filter, wanted.toReversed().map((n) => `bet-${n}`)]);
      }
      const later = { limit: 2, after: 'bet-1' };
      expect(idsOf(await bets.list(ALICE, { order: 'oldest' }, later))).toEqual(['bet-2', 'bet-3']);
      expect(idsOf(await bets.list(ALICE, {}, { limit: 2 }))).toEqual(['bet-4', 'bet-3']);
      expect(idsOf(await bets.list(ALICE, { paper: true }, { limit: 2, after: 'bet-4' }))).toEqual(['bet-2', 'bet-1']);
      expect(await bets.list(ALICE, {}, { limit: 2, after: 'bet-1' })).toEqual([]);
      expect(await bets.list(BOB, {}, ALL)).toEqual([]);
    });

    it('that ended are listed by profit, a page at a time, whatever the money', async () => {
      const { bets } = ledger();
      const ended = (n: number, micro: bigint, changes: Partial<BetRow> = {}) =>
        open(n, { profit: micro as Usdc, result: 'lost', settledAt: at(9), payout: usdc('0'), ...changes });
      const live = { paper: false } as const;
      const rows = [ended(1, -5n), ended(2, 8n), ended(3, -5n), ended(4, -6n, live), ended(5, 7n)];
      await bets.advance(change(0, [...rows, open(6, { profit: -99n as Usdc })]));
      const byProfit = async (filter: BetFilter, page: Parameters<typeof bets.list>[2] = ALL) =>
        idsOf(await bets.list(ALICE, filter, page)).map((id) => Number(id.slice(4)));
      const [worst, best] = [
        [4, 1, 3, 5, 2],
        [2, 5, 3, 1, 4],
      ];
      expect([await byProfit({ order: 'worst' }), await byProfit({ order: 'best' })]).toEqual([worst, best]);
      expect(await byProfit({ order: 'worst', paper: true })).toEqual(worst.filter((n) => n !== 4));
      expect(await byProfit({ order: 'best', paper: false })).toEqual([4]);
      expect(await byProfit({ order: 'worst', result: 'open' })).toEqual([]);
      for (const [order, all] of [['worst', worst] as const, ['best', best] as const])
        for (const [place, n] of all.entries()) {
          const page = { limit: 2, after: `bet-${n}` };
          expect(await byProfit({ order }, page)).toEqual(all.slice(place + 1, place + 3));
        }
      for (const after of ['bet-6', 'bet-7'])
        expect(await byProfit({ order: 'worst' }, { limit: 2, after })).toEqual([]);
      await bets.advance(change(1, [ended(2, -8n)]));
      expect(await byProfit({ order: 'worst' }, { limit: 2 })).toEqual([2, 4]);
    });

    it('are behind while the log has events after theirs', async () => {
      const store = ledger();
      await trading(store).place();
      await store.write({ account: BOB }, () => ({ result: null, strategies: [{ ...aStrategy(), account: BOB }] }));
      const { last = 0 } = (await store.log.range(ALICE)) ?? {};
      expect(last).toBeGreaterThan(1);
      const behind = () => store.bets.behind(ALL);
      expect(await behind()).toEqual([ALICE, BOB]);
      expect(await store.bets.behind({ limit: 1 })).toEqual([ALICE]);
      expect(await store.bets.behind({ limit: 1, after: ALICE })).toEqual([BOB]);
      await store.bets.advance(change(0, [], { head: headAt(last - 1) }));
      await store.bets.advance(change(0, [], { account: BOB }));
      expect(await behind()).toEqual([ALICE]);
      await store.bets.advance(change(1, [], { head: headAt(last) }));
      expect(await behind()).toEqual([]);
    });

    it('of all accounts are found while they have no close, as it becomes due', async () => {
      const { bets } = ledger();
      const due = (n: number, hours: number, changes: Partial<BetRow> = {}) =>
        open(n, { startsAt: at(hours), ...changes });
      const lost = due(2, 20, { result: 'lost', settledAt: at(30), payout: usdc('0') });
      const others = [due(4, 21, { close: 'gap' }), due(5, 20, { startsAt: null })];
      await bets.advance(change(0, [due(1, 22), lost, due(3, 20), ...others]));
      await bets.advance(change(0, [due(1, 21, { account: BOB })], { account: BOB }));
      const dueBefore = async (hours: number, page: Parameters<typeof bets.unclosed>[1] = ALL) =>
        (await bets.unclosed(at(hours), page)).map(({ account, id }) => `${account} ${id}`);
      const all = [`${ALICE} bet-2`, `${ALICE} bet-3`, `${BOB} bet-1`, `${ALICE} bet-1`];
      expect(await dueBefore(23)).toEqual(all);
      expect([await dueBefore(20), await dueBefore(21)]).toEqual([[], all.slice(0, 2)]);
      const after = { startsAt: at(20), account: ALICE, id: 'bet-3' };
      expect([await dueBefore(23, { limit: 2 }), await dueBefore(23, { limit: 2, after })]).toEqual([
        all.slice(0, 2),
        all.slice(2),
      ]);
      expect(idsOf(await bets.find(ALICE, { unclosed: true }))).toEqual(['bet-1', 'bet-2', 'bet-3']);
      await bets.advance(change(1, [due(3, 20, { close: 'one_sided' })], { gone: ['bet-1'] }));
      expect(await dueBefore(23)).toEqual([`${ALICE} bet-2`, `${BOB} bet-1`]);
    });

    it('are listed with all of their orders, some of which are kept apart', async () => {
      const { bets } = ledger();
      const part = (bet: string, place: number, ...ids: string[]) =>
        ({ bet, place, orderIds: ids, orderSeqs: ids.map((_, n) => n + 1) }) as never;
      const many = open(1, { orderIds: ['d', 'b'] as never, orderSeqs: [2, 9], earlierOrders: 3 });
      const parts = [part('bet-1', 2, 'c'), part('bet-1', 0, 'a', 'b'), part('bet-2', 0, 'z')];
      await bets.advance(change(0, [many, open(2), open(3)], { orders: parts }));
      const whole = open(1, { orderIds: ['a', 'b', 'c', 'd'] as never, orderSeqs: [1, 9, 1, 2] });
      expect(await bets.list(ALICE, {}, { limit: 3 })).toEqual([open(3), open(2), whole]);
      expect(await bets.list(ALICE, {}, { limit: 1, after: 'bet-2' })).toEqual([whole]);
      expect(await bets.find(ALICE, { outcomes: [betOutcome(many)] })).toContainEqual(many);
      expect(await bets.ordersOf(ALICE, ['bet-2', 'bet-3'])).toEqual([part('bet-2', 0, 'z')]);
      await bets.advance(change(1, [open(1)], { orders: [part('bet-1', 0, 'x')], remade: ['bet-1'], gone: ['bet-2'] }));
      expect(await bets.ordersOf(ALICE, ['bet-1', 'bet-2'])).toEqual([part('bet-1', 0, 'x')]);
      expect(await bets.ordersOf(BOB, ['bet-1'])).toEqual([]);
    });

    it('stay as they are where a change begins elsewhere', async () => {
      const { bets } = ledger();
      await bets.advance(change(0, [open(1)]));
      for (const from of [0, 2, 7])
        expect(await bets.advance(change(from, [open(2)], { gone: ['bet-1'] }))).toBe(false);
      expect(await bets.find(ALICE, {})).toEqual([open(1)]);
      expect(await bets.head(ALICE)).toMatchObject({ version: 1, seq: 10 });
      expect(await bets.advance(change(3, [open(2, { account: BOB })], { account: BOB }))).toBe(false);
      expect([await bets.head(BOB), await bets.find(BOB, {})]).toEqual([undefined, []]);
    });
  });
}

/** What several writers of the bets of one account may rely on. */
export function betRaces(ledgers: () => readonly Store[]): void {
  it('one of many changes that begin at one version is stored, whole', async () => {
    const stores = ledgers().map(({ bets }) => bets);
    for (const from of [0, 1, 2]) {
      const writers = Array.from({ length: 6 }, (_, n) => {
        const bets = [open(n, { id: `${from} ${n} a` }), open(n, { id: `${from} ${n} b` })];
        return stores[n % stores.length]?.advance(change(from, bets));
      });
      const stored = await Promise.all(writers);
      expect(stored.filter((isStored) => isStored)).toHaveLength(1);
      const winner = stored.indexOf(true);
      for (const store of stores) {
        const made = (await store.find(ALICE, {})).filter(({ id }) => id.startsWith(`${from} `));
        expect(idsOf(made)).toEqual([`${from} ${winner} a`, `${from} ${winner} b`]);
        expect((await store.head(ALICE))?.version).toBe(from + 1);
      }
    }
  });
}
