import type { Ledger } from '../../../../ports/ledger.js';
import type { Asker } from '../../../../ports/market-data.js';
import type { DecisionId } from '../../../ids.js';
import type { Snapshot } from '../../../ledger/decision.js';
import type { Market, MarketRef } from '../../../market/market.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import { type Approval, approvalAt } from '../../../strategy/record/approval.js';
import { endedEarly, whyEndedEarly } from '../../../strategy/record/ended-early.js';
import type { Venues } from '../../../venues/venues.js';

/** How many expire in one round; the others in the next. */
const AT_ONCE = 100;
/** How many are compared with their markets in one round, those that expire first. */
const MOST_COMPARED = 1000;
const LOOKING: Asker = { account: null, purpose: 'look' };

/** Ends the wait of bets on which nobody decided, so that the log of events has it. */
export class ExpireApprovals {
  #isAnyWaiting = true;

  constructor(
    private readonly ledger: Pick<Ledger, 'approvals' | 'read' | 'write' | 'listVersions'>,
    private readonly venues: Pick<Venues, 'named'>,
    private readonly ports: Pick<OrderContext, 'clock' | 'wallClock' | 'ids'>,
  ) {}

  /** Returns when the next one expires, as far as that is on record: null while none waits. @throws StorageUnavailable */
  async execute(): Promise<Date | null> {
    const waiting = await this.ledger.approvals.listWaiting(AT_ONCE + 1);
    this.#isAnyWaiting = waiting.length > 0;
    const overdue = waiting.filter(({ expiresAt }) => expiresAt <= this.ports.clock.now()).slice(0, AT_ONCE);
    for (const approval of overdue) await this.#expire(approval);
    return waiting[overdue.length]?.expiresAt ?? null;
  }

  /**
   * Ends those that can be approved no longer, although their time is not over: the game began or ended, its start was moved, or the key
   * that lets the strategy use real money was revoked. A market that cannot be read now is looked at in the next round. @throws StorageUnavailable
   */
  async compare(): Promise<void> {
    if (!this.#isAnyWaiting) return;
    const found = new Map<string, Promise<Market | undefined>>();
    for (const approval of await this.ledger.approvals.listWaiting(MOST_COMPARED)) {
      const { venue, marketId } = approval.decision;
      const name = `${venue} ${marketId}`;
      const market = found.get(name) ?? this.#market(approval.decision);
      found.set(name, market);
      await this.#compare(approval, await market);
    }
  }

  async #market({ venue, marketId }: MarketRef): Promise<Market | undefined> {
    try {
      return await this.venues.named(venue).marketData.find(marketId, LOOKING);
    } catch {
      return undefined;
    }
  }

  async #compare(approval: Approval, market: Market | undefined): Promise<void> {
    const { account, id, decision } = approval;
    const { strategyId } = decision;
    const [version] = await this.ledger.listVersions(account, strategyId, { limit: 1 });
    const key = version?.automationKey ?? null;
    const scope = { account, approvals: decision, strategies: [strategyId], ...(key !== null && { keys: [key] }) };
    const { clock, wallClock, ids } = this.ports;
    const why = (now: Snapshot, at: Date) => {
      const found = { strategy: now.strategy(strategyId), market, key: key === null ? undefined : now.key(key) };
      return whyEndedEarly(approval, found, { at, wall: wallClock.now() });
    };
    if ((await this.ledger.read(scope, (now) => why(now, clock.now()))) === null) return;
    await this.ledger.write(scope, (now) => {
      const at = clock.now();
      const code = why(now, at);
      const waiting = now.approvals().filter((one) => one.id === id && approvalAt(one, at).state === 'waiting');
      const approvals = code === null ? [] : waiting.map((one) => endedEarly(one, code, ids.next() as DecisionId, at));
      return { result: null, approvals, decisions: approvals.map((one) => one.decision) };
    });
  }

  async #expire({ account, id, decision }: Approval): Promise<void> {
    const at = this.ports.clock.now();
    await this.ledger.write({ account, approvals: decision }, (now) => {
      const waiting = now.approvals().filter((one) => one.id === id && one.state === 'waiting');
      const approvals = waiting.map((one) => approvalAt(one, at)).filter(({ state }) => state === 'expired');
      return { result: null, approvals };
    });
  }
}
