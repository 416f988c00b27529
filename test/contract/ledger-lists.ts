import { describe, expect, it } from 'vitest';
import type { AccountId, MarketId, OrderId, StrategyId } from '../../src/core/ids.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import type { OrderFilter, Page } from '../../src/core/ledger/query.js';
import { changeStrategy, type Strategy } from '../../src/core/strategy/strategy.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  anOrderDraft,
  aStrategy,
  BOB,
  clockAt,
  History,
  NOON,
  usdc,
} from '../support/builders.js';
import { accepts, delays, isUnsure, rejects, rests, ScriptedExchange } from '../support/scripted-exchange.js';
import { trading } from '../support/trading.js';

const later = (ms: number): Date => new Date(Date.parse(NOON) + ms);

function putStrategies(ledger: Ledger, ...strategies: readonly Strategy[]): Promise<unknown> {
  return Promise.all(
    strategies.map((s) => ledger.write({ account: s.account }, () => ({ result: null, strategies: [s] }))),
  );
}

/** Reads a list to its end, `limit` at a time; `between` runs after each page. */
export async function readThrough<T, Key>(
  read: (page: Page<Key>) => Promise<readonly T[]>,
  keyOf: (item: T) => Key,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await read({ limit, ...(last === undefined ? {} : { after: keyOf(last) }) });
    expect(page.length).toBeLessThanOrEqual(limit);
    all.push(...page);
    if (page.length < limit) return all;
    await between();
  }
}

const idOf = <Id>({ id }: { readonly id: Id }): Id => id;

/** One order of every status but `settled`, each a second apart; live ones among them. */
async function manyOrders(ledger: Ledger) {
  const clock = clockAt(NOON);
  const paper = new ScriptedExchange();
  const fixture = trading(ledger, { paper, context: anOrderContext({ clock }) });
  const strategy = await fixture.strategy();
  const place = (answer: typeof paper.script.place, draft: Parameters<typeof fixture.place>[0] = {}) => {
    paper.script.place = answer;
    clock.tick(1000);
    return fixture.place(draft);
  };
  await place(rests());
  await place(rests(), { strategyId: strategy.id });
  await place(accepts([anExecution({ shares: 10_000n as never })], 'open'));
  await place(accepts([anExecution()], 'none'), { strategyId: strategy.id, marketId: 'other' as MarketId });
  await place(accepts([], 'cancelled'), { timeInForce: 'FAK' });
  await place(delays());
  await place(rejects('closed'), { marketId: 'other' as MarketId });
  await place(isUnsure());
  await place(rests(), { size: usdc('5000') });
  return { strategy, orders: await ledger.listOrders(ALICE, {}, { limit: 100 }) };
}

export function ledgerLists(open: () => Ledger & KeyStore): void {
  describe('a list', () => {
    it('of strategies is newest first, filtered by one member or several', async () => {
      const ledger = open();
      const a = aStrategy({ sport: 'soccer' });
      const b = aStrategy({ sport: 'tennis' });
      const c = aStrategy({ sport: 'soccer', isPaused: true });
      const d = aStrategy({ sport: 'soccer', account: BOB });
      await putStrategies(ledger, c, a, d, b);
      const ids = async (filter: Parameters<Ledger['listStrategies']>[1]) =>
        (await ledger.listStrategies(ALICE, filter, { limit: 10 })).map(idOf);
      expect(await ids({})).toEqual([c.id, b.id, a.id]);
      expect(await ids({ sport: 'soccer' })).toEqual([c.id, a.id]);
      expect(await ids({ isPaused: true })).toEqual([c.id]);
      expect(await ids({ isPaused: false })).toEqual([b.id, a.id]);
      expect(await ids({ sport: 'soccer', isPaused: false })).toEqual([a.id]);
      expect(await ids({ sport: 'Soccer' })).toEqual([]);
    });

    it('of strategies shows each once, as it is now', async () => {
      const ledger = open();
      const first = aStrategy({ sport: 'soccer' });
      const second = changeStrategy(first, { isPaused: true, name: 'Paused' }, later(1));
      await putStrategies(ledger, first);
      await putStrategies(ledger, second);
      expect(await ledger.listStrategies(ALICE, {}, { limit: 10 })).toEqual([second]);
      expect(await ledger.listStrategies(ALICE, { isPaused: false }, { limit: 10 })).toEqual([]);
    });

    it('of versions is complete, immutable, and newest first', async () => {
      const ledger = open();
      const versions = [aStrategy()];
      for (let i = 1; i < 12; i++) {
        const current = versions.at(-1) ?? aStrategy();
        versions.push(changeStrategy(current, { name: `name ${i}`, stakeCap: usdc(`${i}`) }, later(i)));
      }
      for (const version of versions) await putStrategies(ledger, version);
      const id = versions[0]?.id as StrategyId;
      const read = (page: Page<number>) => ledger.listVersions(ALICE, id, page);
      expect(await readThrough(read, (s) => s.version, 5)).toEqual(versions.toReversed());
      expect(await ledger.findStrategy(ALICE, id)).toEqual(versions.at(-1));
    });

    it('of orders is newest first, filtered by each member alone', async () => {
      const ledger = open();
      const { strategy, orders } = await manyOrders(ledger);
      expect(orders).toHaveLength(9);
      expect(orders.map(idOf)).toEqual(orders.map(idOf).toSorted().toReversed());
      const count = async (filter: OrderFilter) => (await ledger.listOrders(ALICE, filter, { limit: 100 })).length;
      expect(await count({ status: 'open' })).toBe(2);
      for (const status of [
        'partially_filled',
        'filled',
        'cancelled',
        'delayed',
        'rejected',
        'unknown',
        'denied',
      ] as const) {
        expect([status, await count({ status })]).toEqual([status, 1]);
      }
      expect(await count({ status: 'settled' })).toBe(0);
      expect(await count({ status: ['open', 'filled'] })).toBe(3);
      expect(await count({ status: ['open', 'filled'], marketId: 'other' as MarketId, paper: true })).toBe(
        (await count({ status: 'open', marketId: 'other' as MarketId })) +
          (await count({ status: 'filled', marketId: 'other' as MarketId })),
      );
      expect(await count({ status: ['open', 'delayed', 'settled'], placedAfter: later(0) })).toBe(
        (await count({ status: 'open', placedAfter: later(0) })) +
          (await count({ status: 'delayed', placedAfter: later(0) })),
      );
      expect(await count({ marketId: 'other' as MarketId })).toBe(2);
      expect(await count({ strategyId: strategy.id })).toBe(2);
      expect(await count({ paper: true })).toBe(9);
      expect(await count({ paper: false })).toBe(0);
      expect(await count({ placedAfter: later(3000) })).toBe(6);
      expect(await count({ placedBefore: later(3000) })).toBe(2);
    });

    it('of orders is read from its other end, a page at a time', async () => {
      const ledger = open();
      const { strategy } = await manyOrders(ledger);
      const filters: readonly OrderFilter[] = [
        {},
        { paper: true },
        { status: ['open', 'filled'] },
        { marketId: 'other' as MarketId },
        { strategyId: strategy.id, paper: true },
        { placedAfter: later(3000) },
        { placedAfter: later(1000), placedBefore: later(8000), paper: true },
      ];
      for (const filter of filters) {
        const newest = await ledger.listOrders(ALICE, filter, { limit: 100 });
        for (const limit of [1, 2, 100]) {
          const read = (page: Page<OrderId>) => ledger.listOrders(ALICE, { ...filter, oldestFirst: true }, page);
          expect([filter, await readThrough(read, idOf, limit)]).toEqual([filter, newest.toReversed()]);
        }
      }
    });

    it('of orders resolves a slug to the market of its newest order', async () => {
      const ledger = open();
      const ordered = async (account: AccountId, marketId: string, marketSlug: string | null) => {
        const { order, events } = new History({ ...anOrderDraft(), account }).add();
        const intent = { ...order.intent, marketId: marketId as MarketId, marketSlug };
        await ledger.write(scopeOf(order), () => ({ result: null, orders: [{ ...order, intent }], events }));
      };
      await ordered(ALICE, 'first', 'the-final');
      await ordered(ALICE, 'second', 'the-final');
      await ordered(ALICE, 'third', null);
      await ordered(BOB, 'fourth', 'the-final');
      expect(await ledger.findMarketBySlug(ALICE, 'the-final')).toBe('second');
      expect(await ledger.findMarketBySlug(BOB, 'the-final')).toBe('fourth');
      expect(await ledger.findMarketBySlug(ALICE, 'third')).toBeUndefined();
    });

    it('of orders is filtered by several members together', async () => {
      const ledger = open();
      const { strategy, orders } = await manyOrders(ledger);
      const marketId = 'other' as MarketId;
      const one = { status: 'filled', marketId, strategyId: strategy.id, paper: true, placedAfter: later(0) } as const;
      const found = await ledger.listOrders(ALICE, { ...one, placedBefore: later(5000) }, { limit: 10 });
      expect(found).toEqual(orders.filter((order) => order.state === 'filled'));
      expect(await ledger.listOrders(ALICE, { ...one, placedBefore: later(4000) }, { limit: 10 })).toEqual([]);
      expect(await ledger.listOrders(ALICE, { ...one, status: 'open' }, { limit: 10 })).toEqual([]);
    });

    it('shows open or partially filled while cancelling, and pending while being sent', async () => {
      const ledger = open();
      const add = async (...changes: Parameters<History['add']>) => {
        const { order, events } = new History().add(...changes);
        await ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events }));
        return order;
      };
      const accepted = { type: 'accepted', venueOrderId: 'v', delayed: false } as const;
      const pending = await add();
      const submitting = await add({ type: 'submitting' });
      const cancelling = await add({ type: 'submitting' }, accepted, { type: 'cancel_requested' });
      expect((await ledger.listOrders(ALICE, { status: 'pending' }, { limit: 5 })).map(idOf)).toEqual([
        submitting.id,
        pending.id,
      ]);
      expect((await ledger.listOrders(ALICE, { status: 'open' }, { limit: 5 })).map(idOf)).toEqual([cancelling.id]);
    });

    it('read page by page shows each entry once, though others are added', async () => {
      const ledger = open();
      const fixture = trading(ledger);
      for (let i = 0; i < 23; i++) await fixture.place({ size: usdc('1') });
      const before = await ledger.listOrders(ALICE, {}, { limit: 100 });
      const read = (page: Page<OrderId>) => ledger.listOrders(ALICE, {}, page);
      const seen = await readThrough(read, idOf, 5, () => fixture.place({ size: usdc('1') }));
      expect(seen.map(idOf)).toEqual(before.map(idOf));
      expect(await ledger.listOrders(ALICE, {}, { limit: 100 })).toHaveLength(27);
    });

    it('of events is in the order in which they happened', async () => {
      const ledger = open();
      const executions = Array.from({ length: 20 }, () => anExecution({ shares: 1_000_000n as never }));
      const paper = new ScriptedExchange({ place: accepts(executions, 'none') });
      const order = await trading(ledger, { paper }).place();
      const events = await ledger.listEvents(ALICE, order.id, { limit: 100 });
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
      const read = (page: Page<number>) => ledger.listEvents(ALICE, order.id, page);
      expect(await readThrough(read, ({ seq }) => seq, 7)).toEqual(events);
    });

    it('of orders in flight spans all accounts, oldest first', async () => {
      const ledger = open();
      const histories = Array.from(
        { length: 9 },
        (_, i) => new History(anOrderDraft({ account: i % 2 ? BOB : ALICE })),
      );
      const accepted = { type: 'accepted', venueOrderId: 'v', delayed: false } as const;
      histories[2]?.add({ type: 'submitting' });
      histories[4]?.add(
        { type: 'submitting' },
        { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'lost' } },
      );
      histories[6]?.add({ type: 'denied', refusal: { code: 'x', message: 'x' } });
      histories[7]?.add({ type: 'submitting' }, accepted);
      for (const { order, events } of histories.toReversed()) {
        await ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events }));
      }
      const waiting = histories.map(({ order }) => order).filter((_, i) => i !== 6 && i !== 7);
      expect(await readThrough((page: Page<OrderId>) => ledger.listInFlight(page), idOf, 3)).toEqual(waiting);
    });

    it('of used keys forgets those that expired, and no others', async () => {
      const ledger = open();
      const expiries = [later(-1), later(-86_400_000), later(1), null];
      const keys = expiries.map(
        (_, i) => ({ account: i % 2 ? BOB : ALICE, route: 'orders.place', key: `k${i}` }) as const,
      );
      for (const [i, key] of keys.entries()) {
        const record = {
          ...key,
          meaning: '{}',
          resource: `r${i}`,
          createdAt: later(-99),
          expiresAt: expiries[i] ?? null,
        };
        await ledger.write({ account: key.account, request: key }, () => ({ result: null, requests: [record] }));
      }
      expect(await ledger.forgetExpiredRequests(new Date(NOON))).toBe(2);
      expect(await ledger.forgetExpiredRequests(new Date(NOON))).toBe(0);
      const found = keys.map((request) =>
        ledger.write({ account: request.account, request }, (now) => ({ result: now.request(request)?.resource })),
      );
      expect(await Promise.all(found)).toEqual([undefined, undefined, 'r2', 'r3']);
    });
  });
}
