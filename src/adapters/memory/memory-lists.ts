import { SESSION_IDLE_MS, SESSION_LIFE_MS, type Session } from '../../core/access/session.js';
import type { AccountId, ApprovalId, DecisionId, StrategyId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { type MarketRef, marketName } from '../../core/market/market.js';
import { type Approval, approvalAt } from '../../core/strategy/record/approval.js';
import type { DecisionRecord, SkipCount } from '../../core/strategy/record/decision-record.js';
import { isWantedDecision } from '../../core/strategy/record/listed-decisions.js';
import { type FirstPrice, type FirstPriceKey, firstPriceName } from '../../core/strategy/watch/watcher.js';
import type { ApprovalFilter, ApprovalStore } from '../../ports/approval-store.js';
import type { DecisionLog } from '../../ports/decision-log.js';
import type { ExternalOrder, ExternalOrderCursor, ExternalOrders } from '../../ports/external-orders.js';
import type { FirstPrices } from '../../ports/first-prices.js';
import type { SessionStore } from '../../ports/session-store.js';
import { inOrder, is, newestFirst } from './filters.js';

/** The decisions of a ledger in memory. */
export class MemoryDecisions implements DecisionLog {
  readonly #counts = new Map<string, SkipCount>();

  constructor(private readonly set: Pick<WorkingSet, 'decisions'>) {}

  async find(account: AccountId, id: DecisionId): Promise<DecisionRecord | undefined> {
    return this.set.decisions.find((decision) => decision.account === account && decision.id === id);
  }

  async list(
    ...[account, strategy, filter, page]: Parameters<DecisionLog['list']>
  ): Promise<readonly DecisionRecord[]> {
    const own = this.set.decisions.filter((one) => one.account === account && one.strategyId === strategy);
    return newestFirst(
      own.filter((one) => isWantedDecision(one, filter)),
      ({ id }) => id,
      page,
    );
  }

  async count(skips: readonly SkipCount[]): Promise<void> {
    for (const skip of skips) {
      const name = [skip.account, skip.strategyId, skip.hour.getTime(), skip.code].join('\n');
      this.#counts.set(name, { ...skip, count: skip.count + (this.#counts.get(name)?.count ?? 0) });
    }
  }

  async counts(account: AccountId, strategy: StrategyId, since: Date): Promise<readonly SkipCount[]> {
    const own = [...this.#counts.values()].filter((one) => one.account === account && one.strategyId === strategy);
    const recent = own.filter(({ hour }) => hour >= since);
    return recent.sort((a, b) => a.hour.getTime() - b.hour.getTime() || (a.code < b.code ? -1 : 1));
  }
}

/** The approvals of a ledger in memory. */
export class MemoryApprovals implements ApprovalStore {
  constructor(private readonly set: Pick<WorkingSet, 'approvals'>) {}

  async find(account: AccountId, id: ApprovalId): Promise<Approval | undefined> {
    const found = this.set.approvals.get(id);
    return found?.account === account ? found : undefined;
  }

  async list(account: AccountId, { at, state }: ApprovalFilter, page: Page<ApprovalId>): Promise<readonly Approval[]> {
    const own = this.set.approvals.all().filter((one) => one.account === account);
    const wanted = own.filter((one) => is(state, approvalAt(one, at).state));
    return newestFirst(wanted, ({ id }) => id, page);
  }

  async listWaiting(limit: number): Promise<readonly Approval[]> {
    const waiting = this.set.approvals.all().filter(({ state }) => state === 'waiting');
    return waiting.sort((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime()).slice(0, limit);
  }
}

/** Keeps the first prices in this process. */
export class MemoryFirstPrices implements FirstPrices {
  readonly #prices = new Map<string, FirstPrice>();

  async keep(prices: readonly FirstPrice[]): Promise<readonly FirstPrice[]> {
    return prices.map((one) => {
      const name = firstPriceName(one);
      const kept = this.#prices.get(name) ?? one;
      this.#prices.set(name, kept);
      return kept;
    });
  }

  async find(keys: readonly FirstPriceKey[]): Promise<readonly FirstPrice[]> {
    return keys.map((key) => this.#prices.get(firstPriceName(key))).filter((found) => found !== undefined);
  }

  async listMarkets(before: Date, { limit, after }: Page<MarketRef>): Promise<readonly MarketRef[]> {
    const early = [...this.#prices.values()].filter(({ at }) => at < before);
    const markets = new Map(early.map(({ venue, marketId }) => [marketName({ venue, marketId }), { venue, marketId }]));
    return inOrder([...markets.values()], order, { limit, ...(after && { after: order(after) }) });
  }

  async forget({ venue, marketId }: MarketRef): Promise<number> {
    let forgotten = 0;
    for (const [name, one] of this.#prices)
      if (one.venue === venue && one.marketId === marketId && this.#prices.delete(name)) forgotten += 1;
    return forgotten;
  }
}

/** A character below all those of names separates the parts, so that texts are in the order of keys. */
const order = ({ venue, marketId }: MarketRef): string => `${venue}\n${marketId}`;

/** Keeps sessions in this process. */
export class MemorySessions implements SessionStore {
  readonly #sessions = new Map<string, Session>();

  async find(digest: string): Promise<Session | undefined> {
    return this.#sessions.get(digest);
  }

  async start(session: Session): Promise<void> {
    this.#sessions.set(session.digest, session);
  }

  async use(digest: string, at: Date): Promise<void> {
    const session = this.#sessions.get(digest);
    if (session !== undefined && session.usedAt < at) this.#sessions.set(digest, { ...session, usedAt: at });
  }

  async end(digest: string): Promise<void> {
    this.#sessions.delete(digest);
  }

  async forgetEnded(now: Date): Promise<number> {
    const ended = [...this.#sessions.values()].filter(
      ({ startedAt, usedAt }) =>
        startedAt.getTime() + SESSION_LIFE_MS <= now.getTime() || usedAt.getTime() + SESSION_IDLE_MS <= now.getTime(),
    );
    for (const { digest } of ended) this.#sessions.delete(digest);
    return ended.length;
  }
}

/** Keeps them in this process; if a call has the same order twice, the last one counts. */
export class MemoryExternalOrders implements ExternalOrders {
  readonly #known = new Map<string, ExternalOrder>();

  async recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]> {
    const received = new Map(orders.map((order) => [nameOf(order), order]));
    const added = [...received].filter(([name]) => !this.#known.has(name)).map(([, order]) => order);
    for (const [name, order] of received) {
      this.#known.set(name, { ...(this.#known.get(name) ?? order), resting: order.resting });
    }
    return added;
  }

  async listExternalOrders({ limit, after }: Page<ExternalOrderCursor>): Promise<readonly ExternalOrder[]> {
    return inOrder([...this.#known.values()], nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }
}

const nameOf = ({ venueOrderId, venue }: ExternalOrderCursor): string => `${venueOrderId}\n${venue}`;
