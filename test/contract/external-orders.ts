import { describe, expect, it } from 'vitest';
import type { MarketId, VenueName } from '../../src/core/ids.js';
import type { ExternalOrder, ExternalOrders } from '../../src/ports/external-orders.js';
import { NOON, price, shares } from '../support/builders.js';

const POLYMARKET = 'polymarket' as VenueName;

function anExternal(venueOrderId: string, changes: Partial<ExternalOrder> = {}): ExternalOrder {
  const details = {
    marketId: '0xc0' as MarketId,
    tokenId: '17',
    side: 'BUY',
    price: price('0.5'),
    shares: shares('20'),
  } as const;
  return { venue: POLYMARKET, venueOrderId, ...details, resting: true, firstSeen: new Date(NOON), ...changes };
}

/** With no more than the venue must report. */
function aBareOne(venueOrderId: string): ExternalOrder {
  return anExternal(venueOrderId, { tokenId: null, side: null, price: null, shares: null, resting: false });
}

/** So many that concurrent writers meet half way. */
const MANY = 1500;

const all = (store: ExternalOrders) => store.listExternalOrders({ limit: 2 * MANY });

export function externalOrders(open: () => ExternalOrders): void {
  describe('an order of the wallet that was not placed here', () => {
    it('is returned as new once, and stored as the venue shows it', async () => {
      const store = open();
      const [one, other] = [anExternal('0xA', { side: 'SELL' }), aBareOne('0xB')];
      expect(await all(store)).toEqual([]);
      expect(await store.recordExternalOrders([one, other])).toEqual([one, other]);
      expect(await all(store)).toEqual([one, other]);
      expect(await store.recordExternalOrders([one, other])).toEqual([]);
      expect(await all(store)).toEqual([one, other]);
    });

    it('is returned as new among known ones, in the named order', async () => {
      const store = open();
      const [a, b, c] = [anExternal('a'), anExternal('b'), anExternal('c')];
      await store.recordExternalOrders([b]);
      expect(await store.recordExternalOrders([c, b, a])).toEqual([c, a]);
      expect(await store.recordExternalOrders([])).toEqual([]);
      expect(await all(store)).toEqual([a, b, c]);
    });

    it('keeps what was recorded first, except for whether it rests', async () => {
      const store = open();
      const [order, beside] = [anExternal('0xA'), anExternal('0xB')];
      await store.recordExternalOrders([order, beside]);
      const later = anExternal('0xA', { price: price('0.6'), side: null, firstSeen: new Date(0) });
      for (const resting of [false, false, true]) {
        expect(await store.recordExternalOrders([{ ...later, resting }])).toEqual([]);
        expect(await all(store)).toEqual([{ ...order, resting }, beside]);
      }
    });

    it('is a different one at another venue or under another spelling', async () => {
      const store = open();
      const one = anExternal('0xAb');
      const others = [anExternal('0xAb', { venue: 'elsewhere' as VenueName }), anExternal('0xaB'), anExternal('0xAb ')];
      await store.recordExternalOrders([one]);
      expect(await store.recordExternalOrders(others)).toEqual(others);
      await store.recordExternalOrders([{ ...one, resting: false }]);
      expect((await all(store)).filter(({ resting }) => !resting)).toEqual([{ ...one, resting: false }]);
    });

    it('is stored once when named twice, with the last details', async () => {
      const store = open();
      const last = anExternal('0xA', { resting: false });
      expect(await store.recordExternalOrders([anExternal('0xA'), anExternal('0xB'), last])).toHaveLength(2);
      expect(await all(store)).toEqual([last, anExternal('0xB')]);
    });

    it('is listed page by page in the order of its identity', async () => {
      const store = open();
      const orders = ['0x1', '0x2', '0x3', '0xA', '0xa'].map((id) => anExternal(id));
      await store.recordExternalOrders(orders.toReversed());
      const ids = async (after?: string) => {
        const cursor = after === undefined ? {} : { after: { venueOrderId: after, venue: POLYMARKET } };
        const page = await store.listExternalOrders({ limit: 2, ...cursor });
        return page.map(({ venueOrderId }) => venueOrderId);
      };
      expect(await ids()).toEqual(['0x1', '0x2']);
      expect(await ids('0x2')).toEqual(['0x3', '0xA']);
      expect(await ids('0xA')).toEqual(['0xa']);
      expect(await ids('0xa')).toEqual([]);
    });

    it('is on the next page despite equal identity at another venue', async () => {
      const store = open();
      const at = (venue: string, id = '0x1') => anExternal(id, { venue: venue as VenueName });
      const orders = [at('polymarket', '0x0'), at('elsewhere'), at('polymarket'), at('elsewhere', '0x2')] as const;
      await store.recordExternalOrders(orders.toReversed());
      expect(await store.listExternalOrders({ limit: 2 })).toEqual(orders.slice(0, 2));
      expect(await store.listExternalOrders({ limit: 2, after: orders[1] })).toEqual(orders.slice(2));
      expect(await store.listExternalOrders({ limit: 2, after: orders[3] })).toEqual([]);
    });
  });
}

export function externalRaces(open: () => readonly ExternalOrders[]): void {
  describe('many who see the same orders of the wallet at once', () => {
    it('get each as new only once among them all', async () => {
      const stores = open();
      const known = anExternal('0x0');
      await stores[0]?.recordExternalOrders([known]);
      const ids = Array.from({ length: MANY }, (_, n) => `0x${n}`);
      const seen = Array.from({ length: 12 }, (_, n) => {
        const turned = [...ids.slice(n * 100), ...ids.slice(0, n * 100)];
        const named = n % 2 === 0 ? turned : turned.toReversed();
        return named.map((id) => anExternal(id, { resting: n % 3 === 0 }));
      });
      const recorded = seen.map((orders, n) =>
        (stores[n % stores.length] as ExternalOrders).recordExternalOrders(orders),
      );
      const fresh = (await Promise.all(recorded)).flat().map(({ venueOrderId }) => venueOrderId);
      expect(fresh.sort()).toEqual(ids.slice(1).sort());
      for (const store of stores) expect(await all(store)).toHaveLength(MANY);
    });
  });
}
