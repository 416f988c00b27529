import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isResting, reduce } from '../../src/ui/state/reduce.js';
import { type Knowledge, knowledgeOf, type Lists, NOTHING_KNOWN } from '../../src/ui/state/snapshot.js';
import type { EventRow, OrderRow } from '../../src/ui/state/wire.js';
import { startApp } from '../support/app.js';
import type { Client } from '../support/http.js';
import { runs } from '../support/runs.js';
import { accepts, ScriptedSimulator } from '../support/scripted-exchange.js';

const RULES = {
  match: { sport: 'soccer', market: 'moneyline' },
  filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
  sizing: { method: 'fixed_fraction', value: 0.02 },
};

/** What a client may do. `pick` chooses the thing that it is done to. */
type Deed =
  | { readonly do: 'place' | 'cancel' | 'create' | 'change' | 'pause' | 'resume' | 'archive'; readonly pick: number }
  | { readonly do: 'limit'; readonly usdc: number | null }
  | {
      readonly do: 'stop';
      readonly scope: 'account' | 'strategy';
      readonly state: string;
      readonly stops: string;
      readonly pick: number;
    };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('create', 'archive'), pick: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('place', 'cancel'), pick: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('create', 'change', 'pause', 'resume'), pick: fc.nat(9) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('limit'), usdc: fc.option(fc.integer({ min: 1, max: 99 })) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('stop'), scope: fc.constantFrom('account', 'strategy'), pick: fc.nat(9) },
      ...{ state: fc.constantFrom('active', 'reducing', 'halted'), stops: fc.constantFrom('all', 'live') },
    }),
  },
) as fc.Arbitrary<Deed>;

const chosen = <Row extends { readonly id: string }>(rows: readonly Row[], pick: number): string | undefined =>
  rows[pick % Math.max(1, rows.length)]?.id;

/** An account of a server whose venue rests every order. */
class Account {
  constructor(private readonly client: Client) {}

  async perform(deed: Deed): Promise<void> {
    const { client } = this;
    if (deed.do === 'limit') return this.#put(deed.usdc);
    const { strategies, orders } = await this.lists();
    const strategy = chosen(strategies, deed.pick);
    const path = `/v1/strategies/${strategy}`;
    switch (deed.do) {
      case 'place': {
        const size_usdc = String(1 + deed.pick);
        await client.post('/v1/exchange/orders', { market_id: 'rain', token: 'YES', price: '0.5', size_usdc });
        return;
      }
      case 'cancel':
        await client.post(`/v1/exchange/orders/${chosen(orders, deed.pick)}/cancel`);
        return;
      case 'create':
        await client.post('/v1/strategies', {
          name: `S${deed.pick}`,
          sport: 'soccer',
          rules: RULES,
          bankroll_cap: 100,
          stake_cap: 5,
        });
        return;
      case 'change':
        await client.patch(path, { stake_cap: String(1 + deed.pick) });
        return;
      case 'archive':
        await client.delete(path);
        return;
      case 'stop': {
        const scope = deed.scope === 'account' ? 'account' : `strategy:${strategy}`;
        await client.post('/v1/trading/state', { scope, state: deed.state, stops: deed.stops, reason: 'x' });
        return;
      }
      default:
        await client.post(`${path}/${deed.do}`);
    }
  }

  async all(deeds: readonly Deed[]): Promise<void> {
    for (const each of deeds) await this.perform(each);
  }

  async #put(usdc: number | null): Promise<void> {
    await this.client.put('/v1/limits', { order_usdc: usdc });
  }

  async lists(): Promise<Lists> {
    const [orders, strategies, approvals, trading, alarms] = await Promise.all(
      ['exchange/orders', 'strategies', 'approvals', 'trading/state', 'alarms'].map(
        async (name) => (await this.client.get(`/v1/${name}`)).json()['data'],
      ),
    );
    const { used: _, ...limits } = (await this.client.get('/v1/limits')).json<{ used: object }>();
    return { orders, strategies, approvals, trading, alarms, limits, events: [] } as unknown as Lists;
  }

  async events(after: number): Promise<readonly EventRow[]> {
    const found: EventRow[] = [];
    for (let next = after; ; ) {
      const page = (await this.client.get(`/v1/events?after=${next}&limit=100`)).json<{
        data: EventRow[];
        next_after: string;
        head: string;
      }>();
      found.push(...page.data);
      next = Number(page.next_after);
      if (page.next_after === page.head) return found;
    }
  }
}

/** Without what is not the state of a thing: the order of lists, and events. */
function comparable({ head, orders, strategies, approvals, trading, alarms, limits }: Knowledge): object {
  const sorted = <Row>(rows: Iterable<Row>) => [...rows].map((row) => JSON.stringify(row)).sort();
  return {
    ...{
      head,
      limits,
      orders: sorted(orders.values()),
      strategies: sorted([...strategies.values()].map(withoutWarnings)),
    },
    ...{ approvals: sorted(approvals.values()), trading: sorted(trading), alarms: sorted(alarms) },
  };
}

/** A list warns of money at work, an event of the version alone. */
const withoutWarnings = (row: object): object => ({ ...row, warnings: [] });

describe('what the dashboard knows', () => {
  test('at one event, and the events until another, are what it would read there', { timeout: 120_000 }, async () => {
    const app = await startApp({ paper: new ScriptedSimulator({ place: accepts([], 'open') }) });
    let accounts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 10, maxLength: 40 }),
        fc.nat(20),
        fc.nat(20),
        async (deeds, one, other) => {
          accounts += 1;
          const account = new Account(app.client.as({ 'x-dev-user': `user-${accounts}` }));
          const [from, read] = [Math.min(one, other), Math.max(one, other)];
          await account.all(deeds.slice(0, from));
          const head = (await account.events(0)).length;
          await account.all(deeds.slice(from, read));
          const lists = await account.lists();
          await account.all(deeds.slice(read));
          // The lists may be newer than the event that they are applied after, as on a page that loads.
          const events = await account.events(head);
          const reduced = reduce(knowledgeOf(head, lists), events);
          const fresh = knowledgeOf((await account.events(0)).length, await account.lists());
          expect(comparable(reduced)).toEqual(comparable(fresh));
          expect(comparable(reduce(reduced, events))).toEqual(comparable(reduced));
        },
      ),
      { numRuns: runs(30) },
    );
    expect(app.failures).toEqual([]);
  });

  test('stays within bounds however long it follows, and keeps whatever works', () => {
    const anOrder = (at: number, status: OrderRow['status']): OrderRow =>
      ({ id: String(at).padStart(9, '0'), status }) as OrderRow;
    const events = Array.from({ length: 20_000 }, (_, at): EventRow => {
      const order = anOrder(at, at < 50 ? 'open' : 'filled');
      return { id: `e${at}`, seq: String(at + 1), type: 'order.fill', at: '', data: { order } };
    });
    let known = NOTHING_KNOWN;
    for (let at = 0; at < events.length; at += 100) known = reduce(known, events.slice(at, at + 100));
    expect(known.orders.size).toBe(1000);
    expect([...known.orders.values()].filter(isResting)).toHaveLength(50);
    expect(known.events).toHaveLength(100);
    expect([known.head, known.events[0]?.seq]).toEqual([20_000, '20000']);
  });
});
