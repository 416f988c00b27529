import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../src/core/ids.js';
import type { OrderFilter, Page } from '../../src/core/ledger/query.js';
import type { Order } from '../../src/core/order/order.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, anOrderContext, BOB, clockAt, NOON, usdc } from '../support/builders.js';
import { trading } from '../support/trading.js';
import { readThrough } from './ledger-lists.js';

const later = (ms: number): Date => new Date(Date.parse(NOON) + ms);
const idOf = <Id>({ id }: { readonly id: Id }): Id => id;

export function ledgerMoments(open: () => Ledger): void {
  describe('a list by moments', () => {
    it('of orders filtered by placement time is paged in that order', async () => {
      const ledger = open();
      const clock = clockAt(NOON);
      const fixture = trading(ledger, { context: anOrderContext({ clock }) });
      const placed: Order[] = [];
      // A tape that was begun anew, and three orders of one moment.
      for (const ms of [5000, 0, 1000, 0, 0, -6000, 4000]) {
        clock.tick(ms);
        placed.push(await fixture.place({ size: usdc('1') }));
      }
      const [a, b, c, d, e, f, g] = placed.map(idOf);
      const read = (filter: OrderFilter, limit: number) =>
        readThrough((page: Page<OrderId>) => ledger.listOrders(ALICE, filter, page), idOf, limit);
      for (const limit of [1, 2, 3, 10]) {
        const [after, before] = [{ placedAfter: later(-1) }, { placedBefore: later(6000) }];
        expect((await read(after, limit)).map(idOf)).toEqual([e, d, c, b, a, g, f]);
        expect((await read(before, limit)).map(idOf)).toEqual([b, a, g, f]);
        for (const filter of [after, before, { ...after, ...before }])
          expect(await read({ ...filter, oldestFirst: true }, limit)).toEqual((await read(filter, limit)).toReversed());
      }
      const page = { limit: 5, after: b as OrderId };
      expect(await ledger.listOrders(BOB, { placedAfter: later(-1) }, page)).toEqual([]);
      expect((await read({}, 3)).map(idOf)).toEqual([g, f, e, d, c, b, a]);
    });
  });
}
