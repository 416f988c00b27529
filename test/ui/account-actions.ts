import fc from 'fast-check';
import type { WireLoggedEvent } from '../../src/adapters/http/answers.js';
import { alarmed, unalarmed } from '../../src/core/account/account-alarms.js';
import type { AccountId, StrategyId } from '../../src/core/ids.js';
import type { Market } from '../../src/core/market/market.js';
import type { Lists } from '../../src/ui/state/snapshot.js';
import type { AppLedger } from '../support/app.js';
import { aBet, anApproval } from '../support/builders-of-bets.js';
import type { Client } from '../support/http.js';
import type { ScriptedMarket } from '../support/scripted-market.js';

/** Of a game whose home team costs 0.50. */
export const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  startsAt: new Date('2026-03-01T14:00:00.000Z'),
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};
const RULES = { outcome: { role: 'home' }, filter: { min_odds: 1.8 }, sizing: { method: 'flat', value: 10 } };

/** What a client may do. `pick` chooses the thing that it is done to. */
type Action =
  | { readonly do: 'place' | 'cancel' | 'create' | 'change' | 'pause' | 'resume' | 'archive'; readonly pick: number }
  | { readonly do: 'ask' | 'approve' | 'reject' | 'alarm' | 'calm'; readonly pick: number }
  | { readonly do: 'limit'; readonly usdc: number | null }
  | {
      readonly do: 'stop';
      readonly scope: 'account' | 'strategy';
      readonly state: string;
      readonly stops: string;
      readonly pick: number;
    };

/** Any of them. */
export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('create', 'archive'), pick: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('place', 'cancel'), pick: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('create', 'change', 'pause', 'resume'), pick: fc.nat(9) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('ask', 'approve', 'reject', 'alarm', 'calm'), pick: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('limit'), usdc: fc.option(fc.integer({ min: 1, max: 99 })) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stop'),
      scope: fc.constantFrom('account', 'strategy'),
      pick: fc.nat(9),
      state: fc.constantFrom('active', 'reducing', 'halted'),
      stops: fc.constantFrom('all', 'live'),
    }),
  },
) as fc.Arbitrary<Action>;

const once = (...names: readonly ('create' | 'ask' | 'approve' | 'reject' | 'alarm' | 'calm')[]): readonly Action[] =>
  names.map((name) => ({ do: name, pick: 0 }));

/** What random deeds come to now and then only: an approval each way, and an alarm that is over. */
export const EACH_ONCE: Action[] = [...once('create', 'ask', 'approve', 'ask', 'reject', 'alarm', 'calm')];

const chosen = <Row extends { readonly id: string }>(rows: readonly Row[], pick: number): string | undefined =>
  rows[pick % Math.max(1, rows.length)]?.id;

/** An account of a server whose venue rests every order. */
export class Account {
  readonly #id: AccountId;

  constructor(
    private readonly client: Client,
    private readonly ledger: AppLedger,
    private readonly market: ScriptedMarket,
    /** The time of the market. */
    private readonly at: Date,
  ) {
    this.#id = String(client.headers['x-dev-user']) as AccountId;
  }

  async perform(action: Action): Promise<void> {
    const { client } = this;
    if (action.do === 'limit') return this.#put(action.usdc);
    const { strategies, orders, approvals } = await this.lists();
    const strategy = chosen(strategies, action.pick);
    const path = `/v1/strategies/${strategy}`;
    switch (action.do) {
      case 'place': {
        const size_usdc = String(1 + action.pick);
        await client.post('/v1/exchange/orders', {
          market_id: this.market.market.id,
          token: 'YES',
          price: '0.5',
          size_usdc,
        });
        return;
      }
      case 'cancel':
        await client.post(`/v1/exchange/orders/${chosen(orders, action.pick)}/cancel`);
        return;
      case 'create':
        await client.post('/v1/strategies', {
          name: `S${action.pick}`,
          sport: 'nba',
          automation: 'approve',
          rules: RULES,
          bankroll_cap: 100,
          stake_cap: 50,
        });
        return;
      case 'change':
        await client.patch(path, { stake_cap: String(40 + action.pick) });
        return;
      case 'archive':
        await client.delete(path);
        return;
      case 'ask':
        if (strategy !== undefined) await this.#ask(strategy as StrategyId);
        return;
      case 'approve':
      case 'reject':
        await client.post(`/v1/approvals/${chosen(approvals, action.pick)}/${action.do}`);
        return;
      case 'alarm':
      case 'calm':
        return this.#alarm(action.do === 'alarm', `hook-${action.pick}`);
      case 'stop': {
        const scope = action.scope === 'account' ? 'account' : `strategy:${strategy}`;
        await client.post('/v1/trading/state', { scope, state: action.state, stops: action.stops, reason: 'x' });
        return;
      }
      default:
        await client.post(`${path}/${action.do}`);
    }
  }

  async all(actions: readonly Action[]): Promise<void> {
    for (const each of actions) await this.perform(each);
  }

  /** Asks as the strategy would have, at 0.50. */
  async #ask(strategyId: StrategyId): Promise<void> {
    const { id: marketId, venue } = this.market.market;
    const account = this.#id;
    const inputs = { best_ask: '0.5', first_price: '0.5', most_cost: '10' };
    const decision = aBet({ account, strategyId, marketId, venue, at: this.at, inputs, orderId: null });
    const expiresAt = new Date(Date.now() + 600_000_000);
    const approvals = [anApproval({ account, decision, expiresAt })];
    await this.ledger.write({ account }, () => ({ result: null, approvals }));
  }

  async #alarm(isRaised: boolean, subject: string): Promise<void> {
    const key = { kind: 'webhook_disabled', subject } as const;
    const alarm = { ...key, detail: 'It failed.', since: new Date(), until: null };
    const account = this.#id;
    await this.ledger.write({ account }, ({ account: now }) => {
      const next = isRaised ? alarmed(now, alarm) : unalarmed(now, key);
      return { result: null, accounts: next === now ? [] : [next] };
    });
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

  async events(after: number): Promise<readonly WireLoggedEvent[]> {
    const found: WireLoggedEvent[] = [];
    for (let next = after; ; ) {
      const page = (await this.client.get(`/v1/events?after=${next}&limit=100`)).json<{
        data: WireLoggedEvent[];
        next_after: string;
        head: string;
      }>();
      found.push(...page.data);
      next = Number(page.next_after);
      if (page.next_after === page.head) return found;
    }
  }
}
