import type { PositionKey } from '../account/position.js';
import type { AccountId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import type { OutcomeSide } from '../market/market.js';
import { isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';

/** True of an order that trades no more and whose fills the venue has all confirmed. */
export function isFinal({ state, filled }: Order): boolean {
  return !isWorking(state) && filled.confirmed === filled.shares;
}

/** An outcome of one market, held by an account. */
type Outcome = Pick<PositionKey, 'account' | 'venue' | 'marketId' | 'outcome'>;

/**
 * The shares that orders over the network in one market leave of each outcome, once their fills are final. A result is booked on such
 * shares alone: a fill that the venue may still undo could not be taken out of a position that was paid.
 */
export class FinalShares {
  readonly #sums = new Map<string, bigint>();
  readonly #waiting = new Set<string>();

  constructor(private readonly paper: boolean) {}

  /** Takes an order as it was read, each once. */
  add(order: Order): void {
    const { account, intent, filled } = order;
    const name = nameOf(account, intent.outcome);
    const shares = intent.side === 'BUY' ? filled.shares : -filled.shares;
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + shares);
    if (!isFinal(order)) this.#waiting.add(name);
  }

  /**
   * True when all orders in the outcome are final, and their fills explain all that its position holds or was paid for: no
   * fill has come since the orders were read.
   */
  explain(now: Snapshot, { account, venue, marketId, outcome }: Outcome): boolean {
    const name = nameOf(account, outcome);
    const position = now.position({ account, paper: this.paper, venue, marketId, outcome, strategyId: null });
    const known = position === undefined ? 0n : position.shares + position.settled;
    // A reset of a paper account took away what its earlier fills explain.
    return !this.#waiting.has(name) && (this.paper || this.#sums.get(name) === known);
  }
}

const nameOf = (account: AccountId, outcome: OutcomeSide): string => `${outcome} ${account}`;
