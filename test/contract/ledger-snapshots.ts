import { describe, expect, it } from 'vitest';
import { openBalance, PAPER_CASH } from '../../src/core/account/account.js';
import { emptyPosition, type PositionKey } from '../../src/core/account/position.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Scope, Snapshot } from '../../src/core/ledger/decision.js';
import type { RequestKey, RequestRecord } from '../../src/core/ledger/request.js';
import { noExposure } from '../../src/core/strategy/strategy.js';
import type { KeyStore } from '../../src/ports/key-store.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anOrderDraft,
  aStrategy,
  BOB,
  History,
  LIVE_CASH,
  NOON,
  shares,
  usdc,
  WHERE,
} from '../support/builders.js';

const held: PositionKey = { account: ALICE, paper: true, ...WHERE, outcome: 'YES', strategyId: null };
const key: RequestKey = { account: ALICE, route: 'orders.place', key: 'k-1' };

function requestFor(resource: string, changes: Partial<RequestRecord> = {}): RequestRecord {
  return { ...key, meaning: '{}', resource, createdAt: new Date(NOON), expiresAt: null, ...changes };
}

/** Stores one of each kind for Alice. */
async function furnished(ledger: Ledger) {
  const strategy = aStrategy();
  const { order, events } = new History(anOrderDraft({ strategyId: strategy.id }), strategy);
  const position = { ...emptyPosition(held), shares: shares('5') };
  const exposure = { ...noExposure(strategy, true), committed: usdc('1') };
  const request = requestFor(order.id);
  const scope: Scope = {
    account: ALICE,
    strategies: [strategy.id],
    orders: [order.id],
    positions: [held],
    request: key,
  };
  await ledger.write(scope, () => ({
    result: null,
    balances: [openBalance(ALICE, PAPER_CASH, usdc('10'))],
    strategies: [strategy],
    exposures: [exposure],
    orders: [order],
    events,
    positions: [position],
    requests: [request],
  }));
  return { strategy, order, position, exposure, request, scope };
}

type Look = <T>(ledger: Ledger, scope: Scope, see: (now: Snapshot) => T) => Promise<T>;

const LOOKS: readonly (readonly [string, Look])[] = [
  ['a read', (ledger, scope, see) => ledger.read(scope, see)],
  ['a write', (ledger, scope, see) => ledger.write(scope, (now) => ({ result: see(now) }))],
];

export function ledgerSnapshots(open: () => Ledger & KeyStore): void {
  describe.each(LOOKS)('the snapshot of %s', (_, look) => {
    it('contains every record that its scope names', async () => {
      const ledger = open();
      const { scope, ...stored } = await furnished(ledger);
      const seen = await look(ledger, scope, (now) => ({
        strategy: now.strategy(stored.strategy.id),
        order: now.order(stored.order.id),
        position: now.position(held),
        exposure: now.exposure(stored.strategy.id, true),
        request: now.request(key),
      }));
      expect(seen).toEqual(stored);
    });

    it('holds nothing of another account, not even under the same id', async () => {
      const ledger = open();
      const { scope, strategy, order } = await furnished(ledger);
      const seen = await look(ledger, { ...scope, account: BOB }, (now) => [
        now.balance(PAPER_CASH),
        now.strategy(strategy.id),
        now.exposure(strategy.id, true),
        now.order(order.id),
        now.position(held),
        now.position({ ...held, account: BOB }),
        now.request(key),
        now.request({ ...key, account: BOB }),
      ]);
      expect(seen.every((record) => record === undefined)).toBe(true);
      expect(await ledger.findStrategy(BOB, strategy.id)).toBeUndefined();
      expect(await ledger.findOrder(BOB, order.id)).toBeUndefined();
      expect(await ledger.listVersions(BOB, strategy.id, { limit: 10 })).toEqual([]);
      expect(await ledger.listEvents(BOB, order.id, { limit: 10 })).toEqual([]);
      expect(await ledger.listOrders(BOB, {}, { limit: 10 })).toEqual([]);
      expect(await ledger.listStrategies(BOB, {}, { limit: 10 })).toEqual([]);
    });

    it('holds nothing outside its scope, even while another write loads it', async () => {
      const ledger = open();
      const { scope, strategy, order } = await furnished(ledger);
      const [, seen] = await Promise.all([
        look(ledger, scope, (now) => now.order(order.id)),
        look(ledger, { account: ALICE }, (now) => [
          now.strategy(strategy.id),
          now.exposure(strategy.id, true),
          now.order(order.id),
          now.position(held),
          now.request(key),
        ]),
      ]);
      expect(seen.every((record) => record === undefined)).toBe(true);
    });

    it('holds every position and exposure whose kind of holdings its scope names', async () => {
      const ledger = open();
      const { strategy, position, exposure } = await furnished(ledger);
      const part = { ...position, strategyId: strategy.id, cost: usdc('2') };
      const other = { ...position, outcome: 'NO', marketId: 'another-market' as typeof held.marketId } as const;
      const live = { ...position, paper: false };
      const exposures = [{ ...exposure, paper: false }];
      await ledger.write({ account: ALICE }, () => ({ result: null, positions: [part, other, live], exposures }));
      const foreign = { ...position, account: BOB };
      await ledger.write({ account: BOB }, () => ({ result: null, positions: [foreign] }));
      const see = (paper: boolean, scope: Scope) =>
        look(ledger, scope, (now) => [new Set(now.positions(paper)), new Set(now.exposures(paper))]);
      const all = [new Set([position, part, other]), new Set([exposure])];
      const nothing = [new Set(), new Set()];
      const scope: Scope = { account: ALICE, holdings: 'paper' };
      expect(await see(true, scope)).toEqual(all);
      expect(await see(false, scope)).toEqual(nothing);
      expect(await see(false, { account: ALICE, holdings: 'live' })).toEqual([new Set([live]), new Set(exposures)]);
      expect(await see(true, { account: BOB, holdings: 'paper' })).toEqual([new Set([foreign]), new Set()]);
      const [, unnamed] = await Promise.all([see(true, scope), see(true, { account: ALICE, positions: [held] })]);
      expect(unnamed).toEqual(nothing);
      const named = await look(ledger, scope, (now) => [now.position(part), now.exposure(strategy.id, true)]);
      expect(named).toEqual([part, exposure]);
    });

    it('brings the order that a used key points to', async () => {
      const ledger = open();
      const { order } = await furnished(ledger);
      const scope = { account: ALICE, request: key };
      expect(await look(ledger, scope, (now) => now.order(now.request(key)?.resource as typeof order.id))).toEqual(
        order,
      );
    });

    it('brings the strategy that a used key points to', async () => {
      const ledger = open();
      const strategy = aStrategy();
      const request = { ...key, route: 'strategies.create' } as const;
      const record = requestFor(strategy.id, request);
      const scope = { account: ALICE, request };
      await ledger.write(scope, () => ({ result: null, strategies: [strategy], requests: [record] }));
      expect(await look(ledger, scope, (now) => now.strategy(strategy.id))).toEqual(strategy);
    });

    it('distinguishes equal keys of another owner and another route, with blanks too', async () => {
      const ledger = open();
      const clashing: RequestKey[] = [
        { account: 'a' as AccountId, route: 'orders.place', key: 'b c' },
        { account: 'a b' as AccountId, route: 'orders.place', key: 'c' },
        { account: 'a' as AccountId, route: 'orders.cancel', key: 'b c' },
      ];
      const store = (request: RequestKey, i: number) =>
        ledger.write({ account: request.account, request }, () => ({
          result: null,
          requests: [requestFor(`record-${i}`, request)],
        }));
      await Promise.all(clashing.map(store));
      const found = clashing.map((request) =>
        look(ledger, { account: request.account, request }, (now) => now.request(request)?.resource),
      );
      expect(await Promise.all(found)).toEqual(['record-0', 'record-1', 'record-2']);
    });

    it('shows a key that expired, and lets its record be replaced', async () => {
      const ledger = open();
      const scope = { account: ALICE, request: key };
      const old = requestFor('first', { expiresAt: new Date(NOON) });
      const fresh = requestFor('second', { meaning: '{"other":1}', expiresAt: new Date('2026-05-01T00:00:00.000Z') });
      await ledger.write(scope, () => ({ result: null, requests: [old] }));
      expect(await look(ledger, scope, (now) => now.request(key))).toEqual(old);
      await ledger.write(scope, () => ({ result: null, requests: [fresh] }));
      expect(await look(ledger, scope, (now) => now.request(key))).toEqual(fresh);
    });

    it('keeps positions separate by money, outcome, market and strategy', async () => {
      const ledger = open();
      const strategy = aStrategy();
      const keys: PositionKey[] = [
        held,
        { ...held, paper: false },
        { ...held, outcome: 'NO' },
        { ...held, strategyId: strategy.id },
        { ...held, marketId: 'another-market' as typeof held.marketId },
      ];
      const positions = keys.map((k, i) => ({ ...emptyPosition(k), shares: shares(`${i + 1}`) }));
      const balances = [openBalance(ALICE, PAPER_CASH, usdc('1')), openBalance(ALICE, LIVE_CASH, usdc('2'))];
      const exposures = [true, false].map((paper, i) => ({
        ...noExposure(strategy, paper),
        committed: usdc(`${i + 1}`),
      }));
      const scope = { account: ALICE, strategies: [strategy.id], positions: keys };
      await ledger.write(scope, () => ({ result: null, strategies: [strategy], positions, balances, exposures }));
      const seen = await look(ledger, scope, (now) => ({
        positions: keys.map((k) => now.position(k)),
        balances: [now.balance(PAPER_CASH), now.balance(LIVE_CASH)],
        exposures: [now.exposure(strategy.id, true), now.exposure(strategy.id, false)],
      }));
      expect(seen).toEqual({ positions, balances, exposures });
    });

    it('contains an archived strategy, which lists no longer return', async () => {
      const ledger = open();
      const archived = aStrategy({ archivedAt: new Date(NOON) });
      const scope = { account: ALICE, strategies: [archived.id] };
      await ledger.write(scope, () => ({ result: null, strategies: [archived] }));
      expect(await look(ledger, scope, (now) => now.strategy(archived.id))).toEqual(archived);
      expect(await ledger.findStrategy(ALICE, archived.id)).toBeUndefined();
      expect(await ledger.listStrategies(ALICE, {}, { limit: 10 })).toEqual([]);
      expect(await ledger.listVersions(ALICE, archived.id, { limit: 10 })).toEqual([archived]);
    });
  });
}
