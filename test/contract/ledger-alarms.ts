import { describe, expect, it } from 'vitest';
import { type Account, SERVICE } from '../../src/core/account/account.js';
import { alarmed, unalarmed } from '../../src/core/account/account-alarms.js';
import type { AlarmRecord } from '../../src/core/alarm/alarm.js';
import type { AccountId } from '../../src/core/ids.js';
import { RaiseAlarms } from '../../src/core/usecases/alarms/background/raise-alarms.js';
import { ReadAlarms } from '../../src/core/usecases/alarms/read-alarms.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { fixture } from '../core/usecases/trading/trading-fixture.js';
import { ALICE, BOB, clockAt, NOON } from '../support/builders.js';
import type { TestedLedger } from './opened.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OPERATOR = 'ops' as AccountId;
const LATE = { kind: 'reconciliation_late', subject: 'polymarket', detail: 'Nothing was heard.' } as const;

/** The events about alarms in the log of an account, as `raised feed_stale`. */
async function told(ledger: Ledger, account: AccountId): Promise<readonly string[]> {
  const events = await ledger.log.list(account, { types: ['alarm.raised', 'alarm.cleared'] }, { limit: 100 });
  return events.map(
    ({ type, subject }) => `${type.slice('alarm.'.length)} ${(subject as { alarm: AlarmRecord }).alarm.kind}`,
  );
}

/** What every store promises of alarms; two of them may share one store. */
export function ledgerAlarms(open: () => readonly [TestedLedger, TestedLedger?]): void {
  const both = () => {
    const [one, other = one] = open();
    return [one, other] as const;
  };

  describe('alarms of the service', () => {
    it('are raised once and cleared once, however many servers report them', async () => {
      const [one, other] = both();
      const clock = clockAt(NOON);
      const servers = [one, other, one, other].map((ledger) => new RaiseAlarms(ledger, clock, [OPERATOR]));
      for (let at = 0; at < 6; at += 1) {
        await Promise.all(servers.map((server) => server.report(LATE)));
        clock.tick(30 * SECOND);
        await Promise.all(servers.map((server) => server.clear()));
      }
      expect(await new ReadAlarms(other).execute(ALICE, true)).toEqual([
        { ...LATE, scope: 'service', since: new Date(NOON), until: expect.any(Date) },
      ]);
      expect(await new ReadAlarms(other).execute(ALICE, false)).toEqual([]);
      clock.tick(2 * MINUTE);
      await Promise.all(servers.map((server) => server.clear()));
      for (const reader of [SERVICE, OPERATOR])
        expect(await told(one, reader)).toEqual(['raised reconciliation_late', 'cleared reconciliation_late']);
      expect(await told(other, BOB)).toEqual([]);
      expect(await new ReadAlarms(one).execute(ALICE, true)).toEqual([]);
    });

    it('are in the log of each account that trades with real money', async () => {
      const [one, other] = both();
      const { clock } = await fixture({ ledger: one });
      const server = new RaiseAlarms(other, clock, []);
      const found = { kind: 'doctor', subject: 'polymarket' } as const;
      await server.report({ ...found, detail: 'The allowance is 0.' });
      await server.report({ ...found, detail: 'The allowance is 1.' });
      clock.tick(2 * MINUTE);
      await server.clear();
      await server.clear();
      expect(await told(one, ALICE)).toEqual(['raised doctor', 'cleared doctor']);
    });
  });

  describe('alarms of an account', () => {
    it('report an order unknown for a minute once, until it is known', async () => {
      const [one, other] = both();
      const { clock, live, sends, trading } = await fixture({ ledger: one });
      live.script.place = () => ({ kind: 'unknown', reason: 'silence' });
      const order = await sends();
      const servers = [one, other].map((ledger) => new RaiseAlarms(ledger, clock, []));
      const look = () => Promise.all(servers.map((server) => server.unknown([order])));
      await look();
      expect(await told(one, ALICE)).toEqual([]);
      clock.tick(MINUTE);
      await look();
      await look();
      expect(await new ReadAlarms(other).execute(ALICE, false)).toMatchObject([
        { kind: 'unknown_order', subject: order.id, since: order.updatedAt, scope: 'account' },
      ]);
      await trading.book(order, (posting) =>
        posting.record({ type: 'accepted', venueOrderId: order.venueOrderId ?? '', delayed: false }),
      );
      await look();
      expect(await told(other, ALICE)).toEqual(['raised unknown_order', 'cleared unknown_order']);
      expect(await new ReadAlarms(one).execute(ALICE, false)).toEqual([]);
    });

    it('follow what stops trading automatically, not what a person set', async () => {
      const [one] = both();
      const { live, sends, ask } = await fixture({ ledger: one });
      live.script.place = () => ({ kind: 'rejected', refusal: { code: 'payload_refused', message: 'No.' } });
      for (let sent = 0; sent < 5; sent += 1) await sends();
      expect(await new ReadAlarms(one).execute(ALICE, false)).toMatchObject([
        {
          kind: 'trading_stopped',
          subject: 'account rejections_in_a_row',
          detail: expect.stringMatching(/^Halted \(live/),
        },
      ]);
      await ask({ state: 'active' });
      await ask({ state: 'halted' });
      await ask({ state: 'active' });
      expect(await told(one, ALICE)).toEqual(['raised trading_stopped', 'cleared trading_stopped']);
    });

    it('are found for all accounts that have one, except the service', async () => {
      const [one, other] = both();
      const alarm = { kind: 'exit_held_back', subject: 'a position', detail: 'It is held back.', until: null } as const;
      const change = (account: AccountId, to: (now: Account) => Account) =>
        one.write({ account }, (now) => ({ result: null, accounts: [to(now.account)] }));
      for (const account of [BOB, ALICE, SERVICE])
        await change(account, (now) => alarmed(now, { ...alarm, since: new Date(NOON) }));
      await change('carol' as AccountId, (now) => ({ ...now, liveEnabled: true }));
      const listed = () => other.listAccounts({ alarmed: true }, { limit: 9 });
      expect(await listed()).toEqual([ALICE, BOB]);
      expect(await other.listAccounts({ alarmed: true }, { limit: 1, after: ALICE })).toEqual([BOB]);
      await change(ALICE, (now) => unalarmed(now, alarm));
      expect(await listed()).toEqual([BOB]);
    });

    it('name a contradiction, until the account is released', async () => {
      const [one, other] = both();
      const { operator } = await fixture({ ledger: one });
      const halt = { code: 'contradiction', message: 'The venue contradicts the record.', at: new Date(NOON) };
      await one.write({ account: ALICE }, ({ account }) => ({ result: null, accounts: [{ ...account, halt }] }));
      expect(await new ReadAlarms(other).execute(ALICE, false)).toMatchObject([
        { kind: 'contradiction', detail: halt.message, since: halt.at },
      ]);
      await operator.release(ALICE);
      await operator.halt(ALICE, 'A look at it.');
      expect(await told(other, ALICE)).toEqual(['raised contradiction', 'cleared contradiction']);
    });
  });
}
