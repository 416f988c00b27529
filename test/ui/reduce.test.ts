import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireAlarm, WireLoggedEvent, WireOrder } from '../../src/adapters/http/answers.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { isResting, reduce } from '../../src/ui/state/reduce.js';
import { type Knowledge, knowledgeOf, NOTHING_KNOWN } from '../../src/ui/state/snapshot.js';
import { startApp } from '../support/app.js';
import { anOrderContext, usdc } from '../support/builders.js';
import { runs } from '../support/runs.js';
import { accepts, ScriptedSimulator } from '../support/scripted-exchange.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';
import { Account, action, EACH_ONCE, GAME } from './account-actions.js';

/** Without what is not the state of a thing: the order of lists, and events. */
function comparable({ head, orders, strategies, approvals, trading, alarms, limits }: Knowledge): object {
  const sorted = <Row>(rows: Iterable<Row>) => [...rows].map((row) => JSON.stringify(row)).sort();
  return {
    head,
    limits,
    orders: sorted(orders.values()),
    strategies: sorted([...strategies.values()].map(withoutWarnings)),
    approvals: sorted(approvals.values()),
    trading: sorted(trading),
    alarms: sorted(alarms.map(withoutScope)),
  };
}

/** A list says whose an alarm is, which its event is told to. */
const withoutScope = ({ kind, subject, detail, since }: WireAlarm): object => ({ kind, subject, detail, since });

/** A list warns of money at work, an event of the version alone. */
const withoutWarnings = (row: object): object => ({ ...row, warnings: [] });

describe('what the dashboard knows', () => {
  test('at one event plus later events equals a fresh read', async () => {
    const clock = new ManualTimeline();
    const market = new ScriptedMarket(aMarket({}, GAME), clock);
    market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
    const app = await startApp({
      markets: market,
      paper: new ScriptedSimulator({ place: accepts([], 'open') }),
      context: anOrderContext({ clock, wallClock: systemClock, ids: uuidV7, openingCash: usdc('1000000') }),
    });
    const told = new Set<string>();
    let accounts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 10, maxLength: 40 }),
        fc.nat(20),
        fc.nat(20),
        async (actions, one, other) => {
          accounts += 1;
          const account = new Account(
            app.client.as({ 'x-dev-user': `user-${accounts}` }),
            app.ledger,
            market,
            clock.now(),
          );
          const [from, read] = [Math.min(one, other), Math.max(one, other)];
          await account.all(actions.slice(0, from));
          const head = (await account.events(0)).length;
          await account.all(actions.slice(from, read));
          const lists = await account.lists();
          await account.all(actions.slice(read));
          // The lists may be newer than the event that they are applied after, as on a page that loads.
          const events = await account.events(head);
          for (const { type } of events) told.add(type);
          const reduced = reduce(knowledgeOf(head, lists), events);
          const fresh = knowledgeOf((await account.events(0)).length, await account.lists());
          expect(comparable(reduced)).toEqual(comparable(fresh));
          expect(comparable(reduce(reduced, events))).toEqual(comparable(reduced));
        },
      ),
      { numRuns: runs(30), examples: [[EACH_ONCE, 0, 0]] },
    );
    expect(app.failures).toEqual([]);
    // What was never done was never tested.
    for (const type of ['approval.waiting', 'approval.approved', 'approval.rejected', 'alarm.raised', 'alarm.cleared'])
      expect(told).toContain(type);
  });

  test('stays within bounds however long it follows, and keeps whatever works', () => {
    const anOrder = (at: number, status: WireOrder['status']): WireOrder =>
      ({ id: String(at).padStart(9, '0'), status, placed_at: `${at}` }) as WireOrder;
    const events = Array.from({ length: 20_000 }, (_, at): WireLoggedEvent => {
      const order = anOrder(at, at < 50 ? 'open' : 'filled');
      return { id: `e${at}`, seq: String(at + 1), type: 'order.fill', at: '', text: '', data: { order } };
    });
    let known = NOTHING_KNOWN;
    for (let at = 0; at < events.length; at += 100) known = reduce(known, events.slice(at, at + 100));
    expect(known.orders.size).toBe(1000);
    expect([...known.orders.values()].filter(isResting)).toHaveLength(50);
    expect(isResting({ status: 'delayed' })).toBe(true);
    expect([NOTHING_KNOWN.ordersSince, known.ordersSince]).toEqual([null, '19049']);
    expect(known.events).toHaveLength(100);
    expect([known.head, known.events[0]?.seq]).toEqual([20_000, '20000']);
  });
});
