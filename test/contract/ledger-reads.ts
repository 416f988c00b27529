import { describe, expect, it } from 'vitest';
import { PAPER_CASH } from '../../src/core/account/account.js';
import { emptyPosition, type PositionKey } from '../../src/core/account/position.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import type { RequestRecord } from '../../src/core/ledger/request.js';
import { NO_USDC, plus } from '../../src/core/money.js';
import { noExposure } from '../../src/core/strategy/strategy.js';
import { ALICE, aStrategy, BOB, History, NOON, shares, usdc, WHERE } from '../support/builders.js';
import { trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

const held: PositionKey = { account: ALICE, paper: true, ...WHERE, outcome: 'YES', strategyId: null };
const other: PositionKey = { ...held, marketId: 'another-market' as MarketId };
const NOBODY = 'nobody' as AccountId;

/** What holds of writes and reads that meet; `write` and `read` are on the handles of one store. */
export function ledgerReads(open: () => readonly OpenedLedger['ledger'][]): void {
  const handles = () => {
    const [writer, reader = writer] = open();
    if (writer === undefined || reader === undefined) throw new Error('a read needs a ledger');
    return { writer, reader };
  };

  describe('a read', () => {
    it('puts no account on record', async () => {
      const { reader } = handles();
      const key = { account: NOBODY, route: 'orders.place', key: 'k' } as const;
      const seen = await reader.read({ account: NOBODY, holdings: 'paper', request: key }, (now) => [
        now.account,
        now.balance(PAPER_CASH),
        now.positions(true),
        now.request(key),
      ]);
      expect(seen).toEqual([{ id: NOBODY, liveEnabled: false, halt: null }, undefined, [], undefined]);
      expect(await reader.listAccounts({}, { limit: 10 })).toEqual([]);
    });

    it('shows what was stored before it began, by any handle', async () => {
      const { writer, reader } = handles();
      for (let n = 1; n <= 20; n += 1) {
        const position = { ...emptyPosition(held), shares: shares(`${n}`) };
        await writer.write({ account: ALICE }, () => ({ result: null, positions: [position] }));
        const scope = { account: ALICE, positions: [held] };
        expect(await reader.read(scope, (now) => now.position(held)?.shares)).toBe(shares(`${n}`));
      }
    });

    it('throws what its look throws', async () => {
      const { reader } = handles();
      const look = () => {
        throw new RangeError('not found');
      };
      await expect(reader.read({ account: ALICE }, look)).rejects.toThrow(RangeError);
    });

    it('sees one consistent moment while writers move what it reads', async () => {
      const { writer, reader } = handles();
      const scope = { account: ALICE, positions: [held, other] };
      const strategy = aStrategy();
      const put = (first: string, second: string) => ({
        result: null,
        positions: [
          { ...emptyPosition(held), shares: shares(first) },
          { ...emptyPosition(other), shares: shares(second) },
        ],
        exposures: [{ ...noExposure(strategy, true), committed: usdc(first) }],
      });
      await writer.write(scope, () => ({ ...put('100', '0'), strategies: [strategy] }));
      let moving = true;
      const moves = (async () => {
        for (let n = 0; n < 60; n += 1) await writer.write(scope, () => put(`${n}`, `${100 - n}`));
        moving = false;
      })();
      const sums = new Set<bigint>();
      while (moving) {
        const seen = await reader.read({ account: ALICE, holdings: 'paper' }, (now) => ({
          shares: now.positions(true).reduce((sum, position) => plus(sum, position.shares), shares('0')),
          apart: (now.position(held)?.shares ?? 0n) - (now.exposure(strategy.id, true)?.committed ?? NO_USDC),
        }));
        sums.add(seen.shares).add(seen.apart);
      }
      await moves;
      expect([...sums].sort()).toEqual([0n, shares('100')]);
    });

    it('that finds a used key also finds the order it names', async () => {
      const { writer, reader } = handles();
      const rounds = Array.from({ length: 30 }, (_, n) => n);
      for (const n of rounds) {
        const key = { account: ALICE, route: 'orders.place', key: `k-${n}` } as const;
        const { order, events } = new History();
        const request: RequestRecord = {
          ...key,
          meaning: '{}',
          resource: order.id,
          createdAt: new Date(NOON),
          expiresAt: null,
        };
        const [, seen] = await Promise.all([
          writer.write({ account: ALICE, request: key }, () => ({
            result: 0,
            orders: [order],
            events,
            requests: [request],
          })),
          reader.read({ account: ALICE, request: key }, (now) => [now.request(key), now.order(order.id)]),
        ]);
        expect([
          [undefined, undefined],
          [request, order],
        ]).toContainEqual(seen);
      }
    });

    it('shows an account to no other', async () => {
      const { writer, reader } = handles();
      const order = await trading(writer).place();
      expect(await reader.read({ account: BOB, orders: [order.id] }, (now) => now.order(order.id))).toBeUndefined();
      expect(await reader.read({ account: ALICE, orders: [order.id] }, (now) => now.order(order.id))).toEqual(order);
    });
  });
}
