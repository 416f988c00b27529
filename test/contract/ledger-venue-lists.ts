import { describe, expect, it } from 'vitest';
import type { MarketId } from '../../src/core/ids.js';
import { scopeOf } from '../../src/core/ledger/decision.js';
import type { MarketOrderFilter, VenueOrderFilter } from '../../src/core/ledger/query.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { OrderChange } from '../../src/core/order/event.js';
import type { Order } from '../../src/core/order/order.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, anOrderDraft, BOB, clockAt, type DraftChanges, History, NOON, usdc } from '../support/builders.js';
import { aFill } from '../support/life-samples.js';

const SUBMITTING = { type: 'submitting' } as const;
const ACCEPTED = { type: 'accepted', venueOrderId: 'v', delayed: false } as const;
const FILLED = { type: 'fill', fill: aFill('all', '20') } as const;
const PART = { type: 'fill', fill: aFill('part', '5') } as const;
const CANCELLED = { type: 'cancelled', reason: 'on request' } as const;
const SETTLED = { type: 'settled', returned: usdc('20') } as const;
const [RARE, USUAL] = ['rare' as MarketId, 'usual' as MarketId];
const refusal = { code: 'x', message: 'x' };

/** The histories of orders, and what is expected of them. */
const LIVES: readonly (readonly [changes: readonly OrderChange[], working: boolean, unsettled: boolean])[] = [
  [[], true, false],
  [[SUBMITTING], true, false],
  [[SUBMITTING, { type: 'unknown', refusal }], true, false],
  [[SUBMITTING, { ...ACCEPTED, delayed: true }], true, false],
  [[SUBMITTING, ACCEPTED], true, false],
  [[SUBMITTING, ACCEPTED, PART], true, true],
  [[SUBMITTING, ACCEPTED, { type: 'cancel_requested' }], true, false],
  [[SUBMITTING, ACCEPTED, FILLED], false, true],
  [[SUBMITTING, ACCEPTED, PART, CANCELLED], false, true],
  [[SUBMITTING, ACCEPTED, CANCELLED], false, false],
  [[{ type: 'denied', refusal }], false, false],
  [[SUBMITTING, { type: 'rejected', refusal, presumed: false }], false, false],
  [[SUBMITTING, ACCEPTED, FILLED, SETTLED], false, false],
];

interface Stored {
  readonly order: Order;
  readonly working: boolean;
  readonly unsettled: boolean;
}

const later = (ms: number): Date => new Date(Date.parse(NOON) + ms);

async function store(ledger: Ledger, { order, events }: History): Promise<Order> {
  await ledger.write(scopeOf(order), () => ({ result: null, orders: [order], events }));
  return order;
}

/** One order of every life, a second apart, for two accounts in turn, in two markets, on paper and live. */
async function manyLives(ledger: Ledger): Promise<Stored[]> {
  const clock = clockAt(NOON);
  const lives = LIVES.map(([changes, working, unsettled], i) => {
    clock.tick(1000);
    const where = { marketId: i % 5 === 0 ? RARE : USUAL, paper: i % 4 !== 0 };
    const draft = anOrderDraft({ account: i % 2 ? BOB : ALICE, ...where });
    const named = changes.map((change) => ('venueOrderId' in change ? { ...change, venueOrderId: `v-${i}` } : change));
    return { history: new History(draft, null, clock).add(...named), working, unsettled };
  });
  for (const { history } of lives.toReversed()) await store(ledger, history);
  return lives.map(({ history, ...said }) => ({ order: history.order, ...said }));
}

export function ledgerVenueLists(open: () => Ledger & KeyStore): void {
  describe('across accounts, a ledger', () => {
    it('lists the orders that a venue or an audit needs, oldest first', async () => {
      const ledger = open();
      const all = await manyLives(ledger);
      const filters: [VenueOrderFilter, (stored: Stored) => boolean][] = [
        [{}, () => true],
        [{ paper: true }, ({ order }) => order.intent.paper],
        [{ paper: false }, ({ order }) => !order.intent.paper],
        [{ working: true }, ({ working }) => working],
        [{ unsettled: true }, ({ unsettled }) => unsettled],
        [{ working: true, unsettled: true }, ({ working, unsettled }) => working && unsettled],
        [{ placedFrom: later(4000) }, ({ order }) => order.placedAt >= later(4000)],
      ];
      for (const [filter, wanted] of filters) {
        const expected = all.filter(wanted).map(({ order }) => order);
        expect(expected.length).toBeGreaterThan(0);
        expect(await ledger.listVenueOrders(filter, { limit: 100 })).toEqual(expected);
        const after = expected[0]?.id as Order['id'];
        expect(await ledger.listVenueOrders(filter, { limit: 2, after })).toEqual(expected.slice(1, 3));
      }
    });

    it('lists the orders a settlement needs by account, oldest first', async () => {
      const ledger = open();
      const all = await manyLives(ledger);
      const filters: [MarketOrderFilter, (stored: Stored) => boolean][] = [
        [{ venue: NO_VENUE, marketId: RARE }, ({ order }) => order.intent.marketId === RARE],
        [
          { venue: NO_VENUE, marketId: USUAL, paper: false },
          ({ order }) => order.intent.marketId === USUAL && !order.intent.paper,
        ],
        [
          { venue: NO_VENUE, marketId: USUAL, paper: true, working: true },
          ({ order, working }) => order.intent.marketId === USUAL && order.intent.paper && working,
        ],
      ];
      for (const [filter, wanted] of filters) {
        const asked = all.filter(wanted).map(({ order }) => order);
        const expected = [ALICE, BOB].flatMap((owner) => asked.filter(({ account }) => account === owner));
        expect(expected.length).toBeGreaterThan(1);
        expect(await ledger.listMarketOrders(filter, { limit: 100 })).toEqual(expected);
        for (const [place, after] of expected.entries())
          expect(await ledger.listMarketOrders(filter, { limit: 2, after })).toEqual(
            expected.slice(place + 1, place + 3),
          );
      }
      const rare = await ledger.listMarketOrders({ venue: NO_VENUE, marketId: RARE }, { limit: 100 });
      expect(rare.map(({ account }) => account)).toEqual([ALICE, ALICE, BOB]);
      expect(await ledger.listMarketOrders({ venue: NO_VENUE, marketId: 'none' as MarketId }, { limit: 100 })).toEqual(
        [],
      );
    });

    it('finds live orders by their venue identities, exactly as spelt', async () => {
      const ledger = open();
      const sent = (venueOrderId: string, draft: DraftChanges, ...more: OrderChange[]) =>
        store(ledger, new History(anOrderDraft(draft)).add(SUBMITTING, { ...ACCEPTED, venueOrderId }, ...more));
      const alices = await sent('0xAb', { paper: false });
      const bobs = await sent('0xCd', { account: BOB, paper: false }, FILLED);
      const other = await sent('0xab', { paper: false });
      const onPaper = await sent('0xEf', {});
      await sent('0xAb', {});
      await store(ledger, new History(anOrderDraft({ paper: false })));
      const found = async (...ids: string[]) => new Set(await ledger.listByVenueOrderId(NO_VENUE, ids));
      expect(await found('0xAb', '0xCd', '0xEf', '0xAB', ' 0xAb', '0xA', '', 'null')).toEqual(new Set([alices, bobs]));
      expect(await found('0xab')).toEqual(new Set([other]));
      expect(await ledger.listByVenueOrderId(NO_VENUE, ['0xCd', '0xCd'])).toEqual([bobs]);
      expect(await ledger.listByVenueOrderId(NO_VENUE, [`${onPaper.venueOrderId}`])).toEqual([]);
      expect(await ledger.listByVenueOrderId(NO_VENUE, [])).toEqual([]);
    });

    it('finds as many as 500 at once', async () => {
      const ledger = open();
      const draft = anOrderDraft({ paper: false });
      const last = new History(draft).add(SUBMITTING, { ...ACCEPTED, venueOrderId: '0x499' });
      await store(ledger, last);
      const ids = Array.from({ length: 500 }, (_, n) => `0x${n}`);
      expect(await ledger.listByVenueOrderId(NO_VENUE, ids)).toEqual([last.order]);
    });

    it('lists markets with working orders, no result yet, or a recent one', async () => {
      const ledger = open();
      const settledAt = clockAt(NOON);
      const lives: readonly [market: string, changes: readonly OrderChange[]][] = [
        ['g-working', [SUBMITTING, ACCEPTED]],
        ['b-unsettled', [SUBMITTING, ACCEPTED, FILLED]],
        ['e-pending', []],
        ['c-cancelled', [SUBMITTING, ACCEPTED, CANCELLED]],
        ['d-denied', [{ type: 'denied', refusal }]],
        ['f-settled', [SUBMITTING, ACCEPTED, FILLED, SETTLED]],
        ['a-settled', [SUBMITTING, ACCEPTED, FILLED, SETTLED]],
      ];
      for (const [market, changes] of lives) {
        for (const account of [ALICE, BOB]) {
          const draft = anOrderDraft({ account, marketId: market as MarketId });
          await store(ledger, new History(draft, null, settledAt).add(...changes));
        }
        settledAt.tick(1000);
      }
      const ref = (market: string) => ({ venue: NO_VENUE, marketId: market as MarketId });
      const read = async (from: Date, limit: number, after?: string) => {
        const page = { limit, ...(after === undefined ? {} : { after: ref(after) }) };
        return (await ledger.listMarketsInUse(from, page)).map(({ marketId }) => marketId);
      };
      const working = ['b-unsettled', 'e-pending', 'g-working'];
      expect(await read(later(60_000), 50)).toEqual(working);
      expect(await read(later(6000), 50)).toEqual(['a-settled', ...working]);
      expect(await read(later(5001), 50)).toEqual(['a-settled', ...working]);
      expect(await read(later(5000), 50)).toEqual(['a-settled', 'b-unsettled', 'e-pending', 'f-settled', 'g-working']);
      expect(await read(later(5000), 2)).toEqual(['a-settled', 'b-unsettled']);
      expect(await read(later(5000), 2, 'b-unsettled')).toEqual(['e-pending', 'f-settled']);
      expect(await read(later(5000), 2, 'f-settled')).toEqual(['g-working']);
      expect(await read(later(5000), 2, 'g-working')).toEqual([]);
    });
  });
}
