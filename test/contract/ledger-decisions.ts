import { describe, expect, it } from 'vitest';
import { systemClock, uuidV7 } from '../../src/adapters/system/index.js';
import type { AccountId, DecisionId, MarketId, StrategyId } from '../../src/core/ids.js';
import { replay } from '../../src/core/order/apply.js';
import type { OrderEvent } from '../../src/core/order/event.js';
import type { Order } from '../../src/core/order/order.js';
import type { DecisionRecord, Slot } from '../../src/core/strategy/record/decision-record.js';
import type { DecisionLog } from '../../src/ports/decision-log.js';
import { History } from '../support/builders.js';
import { ALICE, aBet, aSlot, BOB } from '../support/builders-of-bets.js';
import { logOf } from './ledger-log.js';
import type { TestedLedger } from './opened.js';

const FOOTBALL = uuidV7.next() as StrategyId;
const TENNIS = uuidV7.next() as StrategyId;
const ALL = { limit: 100 };
const HOUR = new Date('2026-12-05T14:00:00.000Z');
const NEXT_HOUR = new Date('2026-12-05T15:00:00.000Z');

/** Decisions of strategies and the slots of their bets: what every store promises of them. */
export function ledgerDecisions(open: () => TestedLedger): void {
  const put = (
    ledger: TestedLedger,
    account: AccountId,
    decisions: readonly DecisionRecord[],
    slots: readonly Slot[] = [],
  ) => ledger.write({ account }, () => ({ result: null, decisions, slots }));

  describe('decisions of strategies', () => {
    it('are read back exactly, and by their owner alone', async () => {
      const ledger = open();
      const bet = aBet({ strategyId: FOOTBALL });
      await put(ledger, ALICE, [bet]);
      expect(await ledger.decisions.find(ALICE, bet.id)).toEqual(bet);
      expect(await ledger.decisions.find(BOB, bet.id)).toBeUndefined();
      expect(await ledger.decisions.list(BOB, FOOTBALL, {}, ALL)).toEqual([]);
      expect(await ledger.decisions.find(ALICE, uuidV7.next() as DecisionId)).toBeUndefined();
    });

    it('of one strategy are listed newest first by verdict, code and market', async () => {
      const ledger = open();
      const { price: _, ...rest } = aBet();
      const refused = { verdict: 'skip', code: 'event_loss_exceeded', ...nothing } as const;
      const first = aBet({ strategyId: FOOTBALL });
      const second: DecisionRecord = { ...rest, ...refused, id: uuidV7.next() as DecisionId, strategyId: FOOTBALL };
      const third = aBet({ strategyId: FOOTBALL, marketId: 'another' as MarketId });
      await put(ledger, ALICE, [first, second, third, aBet({ strategyId: TENNIS })]);
      const ids = async (
        ...[filter, page]: [Parameters<DecisionLog['list']>[2], Parameters<DecisionLog['list']>[3]?]
      ) => (await ledger.decisions.list(ALICE, FOOTBALL, filter, page ?? ALL)).map(({ id }) => id);
      expect(await ids({})).toEqual([third.id, second.id, first.id]);
      expect(await ids({ verdict: 'bet' })).toEqual([third.id, first.id]);
      expect(await ids({ code: 'event_loss_exceeded' })).toEqual([second.id]);
      expect(await ids({ marketId: first.marketId, verdict: 'bet' })).toEqual([first.id]);
      expect(await ids({}, { limit: 1, after: third.id })).toEqual([second.id]);
    });

    it('are named in the row and history of the order they placed', async () => {
      const ledger = open();
      const decisionId = uuidV7.next() as DecisionId;
      const { order, events } = placedBy(decisionId);
      await ledger.write({ account: ALICE }, () => ({ result: null, orders: [order], events }));
      expect(await ledger.findOrder(ALICE, order.id)).toEqual(order);
      expect(await ledger.listOrders(ALICE, {}, ALL)).toEqual([order]);
      expect(replay(await ledger.listEvents(ALICE, order.id, ALL))).toEqual(order);
    });

    it('that bet are logged in the same write that records them', async () => {
      const ledger = open();
      const bet = aBet();
      await put(ledger, ALICE, [bet]);
      const events = await logOf(ledger);
      expect(events.map(({ type, subject }) => [type, subject])).toEqual([
        ['decision.bet', { kind: 'decision', id: bet.id }],
      ]);
    });
  });

  describe('the slots of bets', () => {
    const here = aSlot({ strategyId: FOOTBALL });
    const named = {
      strategyId: FOOTBALL,
      venue: here.venue,
      marketId: here.marketId,
      eventId: here.eventId,
      day: here.day,
    };
    const seen = async (ledger: TestedLedger, account = ALICE, slots = named) =>
      (await ledger.read({ account, slots }, (now) => now.slots()))
        .map(({ n, marketId, day }) => `${marketId} ${n} ${day}`)
        .sort();

    it('are read by market, event and day for one strategy and owner', async () => {
      const ledger = open();
      const elsewhere = { marketId: 'elsewhere' as MarketId, eventId: 'e2' } as const;
      const slots = [
        here,
        { ...here, n: 2, day: '2026-12-06' },
        { ...here, ...elsewhere },
        { ...here, marketId: 'same-event' as MarketId, day: '2026-12-06' },
        { ...here, ...elsewhere, n: 2, day: '2026-12-06' },
        { ...here, strategyId: TENNIS },
      ];
      await put(ledger, ALICE, [], slots);
      const day = '2026-12-05';
      expect(await seen(ledger)).toEqual(
        [
          `${here.marketId} 1 ${day}`,
          `${here.marketId} 2 2026-12-06`,
          `elsewhere 1 ${day}`,
          'same-event 1 2026-12-06',
        ].sort(),
      );
      expect(await seen(ledger, BOB)).toEqual([]);
      expect(await ledger.read({ account: ALICE }, (now) => now.slots())).toEqual([]);
    });

    it('of markets without an event are not bets on one event', async () => {
      const ledger = open();
      const lonely = { eventId: null, day: '2026-12-06' };
      await put(
        ledger,
        ALICE,
        [],
        [
          { ...here, ...lonely },
          { ...here, ...lonely, marketId: 'other' as MarketId },
        ],
      );
      expect(await seen(ledger, ALICE, { ...named, eventId: null })).toEqual([`${here.marketId} 1 2026-12-06`]);
    });

    it('are seen by the next write, and come back as they were', async () => {
      const ledger = open();
      const take = () =>
        ledger.write({ account: ALICE, slots: named }, (now) => {
          const n = now.slots().length + 1;
          return { result: n, slots: [{ ...here, n }] };
        });
      expect((await Promise.all([take(), take(), take(), take()])).sort()).toEqual([1, 2, 3, 4]);
      const [first] = await ledger.read({ account: ALICE, slots: named }, (now) =>
        now.slots().filter(({ n }) => n === 1),
      );
      expect(first).toEqual(here);
    });

    it('exist once for each paper reset, and once for real money', async () => {
      const ledger = open();
      const [paper, anew, real] = [here, { ...here, reset: 1 }, { ...here, reset: -1 }];
      await ledger.write({ account: ALICE }, (now) => ({
        result: null,
        accounts: [{ ...now.account, paperResets: 1 }],
        slots: [paper, real],
      }));
      await put(ledger, ALICE, [], [anew]);
      const found = await ledger.read({ account: ALICE, slots: named }, (now) => ({
        resets: now.account.paperResets,
        slots: now.slots().toSorted((a, b) => a.reset - b.reset),
      }));
      expect(found).toEqual({ resets: 1, slots: [real, paper, anew] });
    });
  });

  describe('counts of skips', () => {
    it('add up by hour and code, of one strategy and its owner', async () => {
      const ledger = open();
      const skip = { account: ALICE, strategyId: FOOTBALL, hour: HOUR, code: 'no_edge', count: 3 };
      await ledger.decisions.count([
        skip,
        { ...skip, code: 'spread_too_wide', count: 1 },
        { ...skip, strategyId: TENNIS },
      ]);
      await ledger.decisions.count([
        { ...skip, count: 4 },
        { ...skip, hour: NEXT_HOUR },
        { ...skip, account: BOB },
      ]);
      await ledger.decisions.count([]);
      expect(await ledger.decisions.counts(ALICE, FOOTBALL, HOUR)).toEqual([
        { ...skip, count: 7 },
        { ...skip, code: 'spread_too_wide', count: 1 },
        { ...skip, hour: NEXT_HOUR },
      ]);
      expect(await ledger.decisions.counts(ALICE, FOOTBALL, NEXT_HOUR)).toEqual([{ ...skip, hour: NEXT_HOUR }]);
    });
  });
}

const nothing = {
  price: null,
  size: null,
  shares: null,
  cost: null,
  odds: null,
  edge: null,
  boundBy: null,
  slot: null,
};

/** Two handles on one store that take slots at once: each slot is taken once. */
export function slotRaces(open: () => readonly TestedLedger[]): void {
  it('concurrent writers never take one slot twice', async () => {
    const ledgers = open();
    const slot = aSlot({ account: ALICE, strategyId: FOOTBALL });
    const named = { strategyId: FOOTBALL, venue: slot.venue, marketId: slot.marketId, eventId: null, day: slot.day };
    const take = (ledger: TestedLedger) =>
      ledger.write({ account: ALICE, slots: named }, (now) => {
        const n = now.slots().length + 1;
        return { result: n, slots: [{ ...slot, n, at: systemClock.now() }] };
      });
    const taken = await Promise.all(Array.from({ length: 20 }, () => ledgers.map(take)).flat());
    expect(taken.sort((a, b) => a - b)).toEqual(taken.map((_, index) => index + 1));
  });
}

/** An order that a decision of a strategy placed. */
function placedBy(decisionId: DecisionId): { order: Order; events: readonly OrderEvent[] } {
  const { order, events } = new History();
  const [requested] = events;
  if (requested?.change.type !== 'requested') throw new Error('a history starts with its request');
  const intent = { ...order.intent, decisionId };
  return { order: { ...order, intent }, events: [{ ...requested, change: { type: 'requested', intent } }] };
}
