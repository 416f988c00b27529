import { describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { SERVICE } from '../../src/core/account/account.js';
import type { AccountId } from '../../src/core/ids.js';
import { type TradingChange, UNTOUCHED, withState } from '../../src/core/trading/state.js';
import { fixture } from '../core/usecases/trading/trading-fixture.js';
import { ALICE, anOrderContext, BOB, NOON } from '../support/builders.js';
import { trading } from '../support/trading.js';
import type { TestedLedger } from './opened.js';

const HALT: TradingChange = {
  scope: 'account',
  state: 'halted',
  stops: 'all',
  reason: 'Enough',
  by: 'key-1',
  until: new Date('2099-01-01T00:00:00.123Z'),
};

/** Sets a state with this ledger. */
async function set(ledger: TestedLedger, change: Partial<TradingChange> = {}, account: AccountId = ALICE) {
  const command = { account, change: { ...HALT, ...change }, cancel: false, idempotencyKey: null };
  const use = trading(ledger, { context: anOrderContext() }).use.trading;
  return (await use.set.execute({ ...command, may: new Set(AUTH_SCOPES) })).record.state;
}

const now = (ledger: TestedLedger, account: AccountId = ALICE) => trading(ledger).use.trading.read.now(account);
const place = async (ledger: TestedLedger, account: AccountId = ALICE) =>
  (await trading(ledger).place({ account })).state;

/** What every store promises of states of trading; two of them may share one store. */
export function ledgerTrading(open: () => readonly [TestedLedger, TestedLedger?]): void {
  const both = () => {
    const [one, other = one] = open();
    return [one, other] as const;
  };

  describe('states of trading', () => {
    it('are read back as they were set, everywhere at once', async () => {
      const [one, other] = both();
      const states = [
        await set(one, { scope: 'service' }),
        await set(one, { scope: 'sport:soccer' }),
        await set(other),
      ];
      expect(states[2]).toEqual({ ...HALT, since: new Date(NOON), code: null });
      expect((await now(other)).states).toEqual(states);
      expect((await now(one, BOB)).states).toEqual(states.slice(0, 2));
    });

    it.each(['account', 'service'] as const)('of the %s stop the very next order, everywhere', async (scope) => {
      const [one, other] = both();
      expect([await place(one), await place(other)]).toEqual(['filled', 'filled']);
      await set(one, { scope });
      expect([await place(other), await place(one)]).toEqual(['denied', 'denied']);
      await set(other, { scope, state: 'active', until: null });
      expect([await place(one), await place(other)]).toEqual(['filled', 'filled']);
    });

    it('count from their place among the writes of one moment', async () => {
      const [one] = both();
      const looks = (account: AccountId) =>
        one.write({ account, service: true }, ({ service }) => ({
          result: service?.trading?.last?.reason ?? 'nothing',
        }));
      const sets = (scope: TradingChange['scope'], reason: string) =>
        one.write({ account: BOB, logs: [SERVICE] }, ({ service }) => {
          const { after } = withState(service?.trading ?? UNTOUCHED, { ...HALT, scope, reason }, new Date(NOON));
          return { result: 'set', accounts: [{ id: SERVICE, liveEnabled: false, halt: null, trading: after }] };
        });
      const done = [
        looks(ALICE),
        sets('service', 'one'),
        looks(ALICE),
        looks(BOB),
        sets('sport:a', 'two'),
        looks(ALICE),
      ];
      expect(await Promise.all(done)).toEqual(['nothing', 'set', 'one', 'one', 'set', 'two']);
      expect((await now(one)).states).toHaveLength(2);
    });

    it('that several set at once for all accounts are all kept', async () => {
      const [one, other] = both();
      const sports = Array.from({ length: 12 }, (_, at) => `sport:s${at}` as const);
      await Promise.all(
        sports.map((scope, at) => set(at % 2 === 0 ? one : other, { scope }, at % 3 === 0 ? ALICE : BOB)),
      );
      expect((await now(one)).states.map(({ scope }) => scope).sort()).toEqual([...sports].sort());
      const { items } = await trading(other).use.trading.read.history('service', { limit: 100 });
      expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, at) => 12 - at));
    });

    it('are kept in a history, page by page, newest first', async () => {
      const [one, other] = both();
      for (const reason of ['first', 'second', 'third']) await set(one, { reason });
      const { read } = trading(other).use.trading;
      const page = await read.history(ALICE, { limit: 2 });
      expect(page.items.map(({ state }) => state.reason)).toEqual(['third', 'second']);
      const rest = await read.history(ALICE, { limit: 2, after: page.next ?? 0 });
      expect(rest.items.map(({ state }) => state)).toEqual([
        { ...HALT, reason: 'first', since: new Date(NOON), code: null },
      ]);
      expect(await other.log.trading(BOB, { limit: 9 })).toEqual([]);
    });

    it('of all accounts are no account', async () => {
      const [one] = both();
      await place(one);
      await set(one, { scope: 'service' });
      expect(await one.listAccounts({}, { limit: 9 })).toEqual([ALICE]);
      expect(await one.listAccounts({ name: SERVICE }, { limit: 9 })).toEqual([]);
    });

    it('set automatically for an account are counted in its writes', async () => {
      const [one, other] = both();
      const it = await fixture({ ledger: one });
      it.live.script.place = () => ({ kind: 'unknown', reason: 'silence' });
      for (let sent = 0; sent < 3; sent += 1) await it.sends();
      expect(await now(other)).toMatchObject({ effective: 'reducing', states: [{ code: 'unknown_orders' }] });
    });
  });
}
