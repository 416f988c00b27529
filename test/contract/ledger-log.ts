import { describe, expect, it } from 'vitest';
import { openBalance } from '../../src/core/account/account.js';
import { emptyPosition } from '../../src/core/account/position.js';
import type { AccountId, OrderId } from '../../src/core/ids.js';
import { type AccountEvent, EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import { redeem } from '../../src/core/posting/settling.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import type { Ledger } from '../../src/ports/ledger.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  aStrategy,
  BOB,
  countingIds,
  LIVE_CASH,
  MARKET,
  NOON,
  shares,
  usdc,
  WHERE,
} from '../support/builders.js';
import { rests, ScriptedSimulator } from '../support/scripted-exchange.js';
import { Trading, trading } from '../support/trading.js';
import type { TestedLedger } from './opened.js';

const ALL = { limit: 1000 };
const typesOf = (events: readonly AccountEvent[]) => events.map(({ type }) => type);

/** The events of an account, after checking that its log has no holes. */
export async function logOf(ledger: Ledger, account: AccountId = ALICE): Promise<readonly AccountEvent[]> {
  const events = await ledger.log.list(account, {}, ALL);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  return events;
}

/** The event log: what every store promises of it. */
export function ledgerLog(open: () => TestedLedger): void {
  describe('the event log', () => {
    it("has every change of its account's orders, numbered without gaps", async () => {
      const ledger = open();
      const trader = trading(ledger, { paper: new ScriptedSimulator({ place: rests() }) });
      const order = await trader.place();
      await trader.book(order, (posting) => posting.fill(anExecution({ shares: shares('5') })));
      await trader.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
      const events = await logOf(ledger);
      const history = await trader.history(order);
      expect(typesOf(events)).toEqual(history.map(({ change }) => `order.${change.type}`));
      expect(events.map(({ subject }) => subject)).toEqual(
        history.map(({ seq }) => ({ kind: 'order', id: order.id, seq })),
      );
      expect(await ledger.log.list(BOB, {}, ALL)).toEqual([]);
      expect(await ledger.log.range(BOB)).toBeNull();
    });

    it('lists the latest events first, before a number and by kind', async () => {
      const ledger = open();
      const manage = new ManageAccounts(ledger, anOrderContext());
      for (let times = 0; times < 3; times += 1) {
        await manage.allowLive(ALICE, true);
        await manage.allowLive(ALICE, false);
      }
      const all = await logOf(ledger);
      const latest = (filter: Parameters<typeof ledger.log.latest>[1], page: Parameters<typeof ledger.log.latest>[2]) =>
        ledger.log.latest(ALICE, filter, page);
      expect(await latest({}, ALL)).toEqual(all.toReversed());
      expect(await latest({}, { limit: 2 })).toEqual([all[5], all[4]]);
      expect(await latest({}, { limit: 2, after: 5 })).toEqual([all[3], all[2]]);
      expect(await latest({ types: ['account.live_allowed'] }, { limit: 2 })).toEqual([all[4], all[2]]);
      expect(await latest({ types: ['account.live_allowed'], from: 3 }, { limit: 9, after: 5 })).toEqual([all[2]]);
      expect(await latest({}, { limit: 9, after: 1 })).toEqual([]);
      expect(await ledger.log.latest(BOB, {}, ALL)).toEqual([]);
    });

    it('records each change of a strategy', async () => {
      const ledger = open();
      const first = aStrategy();
      const write = (strategy: typeof first) =>
        ledger.write({ account: ALICE, strategies: [first.id] }, () => ({ result: null, strategies: [strategy] }));
      const paused = { ...first, version: 2, isPaused: true };
      const renamed = { ...paused, version: 3, name: 'Away favourites' };
      const resumed = { ...renamed, version: 4, isPaused: false };
      const archived = { ...resumed, version: 5, archivedAt: new Date() };
      for (const version of [first, paused, renamed, resumed, archived]) await write(version);
      const events = await logOf(ledger);
      expect(typesOf(events)).toEqual([
        'strategy.created',
        'strategy.paused',
        'strategy.changed',
        'strategy.resumed',
        'strategy.archived',
      ]);
      expect(events.at(-1)?.subject).toEqual({ kind: 'strategy', id: first.id, version: 5 });
      const wanted = [first, renamed, { ...first, version: 9 }];
      const found = await ledger.log.versions(ALICE, wanted);
      expect(found.toSorted((one, other) => one.version - other.version)).toEqual([first, renamed]);
      expect(await ledger.log.versions(BOB, wanted)).toEqual([]);
      expect(await ledger.log.versions(ALICE, [])).toEqual([]);
    });

    it('says of what shares cash is the redemption', async () => {
      const ledger = open();
      const key = { ...WHERE, account: ALICE, paper: false, outcome: 'NO', strategyId: null } as const;
      const position = { ...emptyPosition(key), settled: shares('5'), returned: usdc('5'), redeemable: usdc('5') };
      const balance = { ...openBalance(ALICE, LIVE_CASH, usdc('1')), outstanding: shares('5') };
      await ledger.write({ account: ALICE }, () => ({ result: null, positions: [position], balances: [balance] }));
      await ledger.write({ account: ALICE, positions: [position] }, () => ({
        result: null,
        ...redeem(balance, position, countingIds.next(), new Date(NOON)),
      }));
      const [event] = await logOf(ledger);
      const moved = { paper: false, venue: NO_VENUE, amount: usdc('5'), redeemed: { marketId: MARKET, outcome: 'NO' } };
      expect(event).toMatchObject({ type: 'cash.redeemed', subject: { kind: 'cash', moved } });
    });

    it('records each operator action on account and money once', async () => {
      const ledger = open();
      const manage = new ManageAccounts(ledger, anOrderContext());
      await manage.allowLive(ALICE, true);
      await manage.allowLive(ALICE, true);
      await manage.deposit(ALICE, NO_VENUE, usdc('100'));
      await manage.withdraw(ALICE, NO_VENUE, usdc('40'));
      await manage.halt(ALICE, 'a look at it');
      await manage.halt(ALICE, 'another');
      await manage.release(ALICE);
      await manage.allowLive(ALICE, false);
      const events = await logOf(ledger);
      expect(typesOf(events)).toEqual([
        'account.live_allowed',
        'cash.deposited',
        'cash.withdrawn',
        'account.halted',
        'account.released',
        'account.live_disallowed',
      ]);
      const moved = { paper: false, venue: NO_VENUE, amount: -usdc('40') };
      expect(events[2]?.subject).toEqual({ kind: 'cash', moved });
      const halt = { code: 'halted_by_operator', message: 'a look at it', at: expect.any(Date) };
      expect(events[3]?.subject).toEqual({ kind: 'account', account: { id: ALICE, liveEnabled: true, halt } });
    });

    it("shows a key's owner its creation and revocation, without its digest", async () => {
      const ledger = open();
      const dates = { createdAt: new Date('2026-03-01T12:00:00.000Z'), expiresAt: null, revokedAt: null };
      const key = { id: 'key001', account: BOB, scopes: ['orders:read'] as const, digest: 'd'.repeat(64), ...dates };
      await ledger.write({ account: ALICE, logs: [BOB] }, () => ({ result: null, keys: [key] }));
      const revokedAt = new Date('2026-03-02T12:00:00.000Z');
      for (const at of [revokedAt, new Date('2026-03-03T12:00:00.000Z')]) await ledger.revokeKey(key.id, at);
      const { digest: _, ...shown } = key;
      const events = await logOf(ledger, BOB);
      expect(events.map(({ type, subject }) => [type, subject])).toEqual([
        ['key.created', { kind: 'key', key: shown }],
        ['key.revoked', { kind: 'key', key: { ...shown, revokedAt } }],
      ]);
      expect(await ledger.log.list(ALICE, {}, ALL)).toEqual([]);
      const unnamed = ledger.write({ account: ALICE }, () => ({ result: null, keys: [{ ...key, id: 'key002' }] }));
      await expect(unnamed).rejects.toThrow('which the scope names');
      expect(await ledger.findKey('key002')).toBeUndefined();
    });

    it('keeps nothing of a decision that throws', async () => {
      const ledger = open();
      await trading(ledger).place();
      const before = await logOf(ledger);
      const failing = ledger.write({ account: ALICE }, () => {
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow(RangeError);
      expect(await logOf(ledger)).toEqual(before);
      await trading(ledger).place();
      expect(await logOf(ledger)).toHaveLength(before.length * 2);
    });

    it('is listed from any event, by kind, up to a given event', async () => {
      const ledger = open();
      for (let order = 0; order < 3; order += 1) await trading(ledger).place();
      const all = await logOf(ledger);
      expect(await ledger.log.list(ALICE, {}, { limit: 2, after: 3 })).toEqual(all.slice(3, 5));
      const fills = all.filter(({ type }) => type === 'order.fill');
      expect(fills).toHaveLength(3);
      expect(await ledger.log.list(ALICE, { types: ['order.fill'] }, ALL)).toEqual(fills);
      const [first] = fills;
      expect(await ledger.log.list(ALICE, { types: ['order.fill'], upTo: first?.seq ?? 0 }, ALL)).toEqual([first]);
      expect(await ledger.log.list(ALICE, { types: EVENT_TYPES }, ALL)).toEqual(all);
      expect(await ledger.log.range(ALICE)).toEqual({ first: 1, last: all.length });
    });

    it('gives the owner several order histories, or parts of them, in order', async () => {
      const ledger = open();
      const trader = new Trading(ledger);
      const [one, two] = [await trader.place(), await trader.place()];
      const whole = ({ id }: { readonly id: OrderId }) => ({ id, after: 0, upTo: 1000 });
      const found = await ledger.log.histories(ALICE, [whole(one), whole(two)]);
      for (const order of [one, two])
        expect(found.filter(({ orderId }) => orderId === order.id)).toEqual(await trader.history(order));
      const part = await ledger.log.histories(ALICE, [{ id: two.id, after: 1, upTo: 2 }]);
      expect(part).toEqual((await trader.history(two)).slice(1, 2));
      expect(await ledger.log.histories(BOB, [whole(one)])).toEqual([]);
      expect(await ledger.log.histories(ALICE, [])).toEqual([]);
    });

    it('forgets old events, but never the last, so numbers are never reused', async () => {
      const ledger = open();
      await trading(ledger).place();
      const all = await logOf(ledger);
      expect(await ledger.log.forget(new Date(0))).toBe(0);
      expect(await ledger.log.forget(new Date('2999-01-01'))).toBe(all.length - 1);
      expect(await ledger.log.range(ALICE)).toEqual({ first: all.length, last: all.length });
      expect(await ledger.log.forget(new Date('2999-01-01'))).toBe(0);
      await trading(ledger).place();
      const later = await ledger.log.list(ALICE, {}, ALL);
      expect(later[0]).toEqual(all.at(-1));
      expect(later.map(({ seq }) => seq)).toEqual(later.map((_, index) => all.length + index));
    });
  });
}

/** What several processes on one store promise of it. */
export function logRaces(open: () => readonly Ledger[]): void {
  it('many concurrent writers log each event once, in commit order', async () => {
    const ledgers = open();
    const seen: AccountEvent[] = [];
    let isDone = false;
    const reads = async () => {
      for (let last = false; !last; ) {
        last = isDone;
        const page = await (ledgers[0] as Ledger).log.list(ALICE, {}, { limit: 7, after: seen.at(-1)?.seq ?? 0 });
        seen.push(...page);
        last &&= page.length < 7;
      }
    };
    const reader = reads();
    const places = Array.from({ length: 40 }, (_, n) => trading(ledgers[n % ledgers.length] as Ledger).place());
    const orders = await Promise.all(places);
    isDone = true;
    await reader;
    expect(seen).toEqual(await logOf(ledgers.at(-1) as Ledger));
    for (const order of orders) {
      const own = seen.filter(({ subject }) => subject.kind === 'order' && subject.id === order.id);
      expect(own.map(({ subject }) => (subject.kind === 'order' ? subject.seq : 0))).toEqual(own.map((_, n) => n + 1));
      expect(own).toHaveLength(order.seq);
    }
  });
}
