import type { Ledger } from '../../../ports/ledger.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { riskGroupOf } from '../../limits/risk.js';
import { intentOf, withEnvelope } from '../../order/draft.js';
import { HoldingUnseen, type MarketSet } from '../../posting/market-set.js';
import type { OrderContext } from '../../posting/order-context.js';
import { otherSide, refusedBy, stateFor } from '../../posting/trading-stop.js';
import type { Bet, DecisionSubject } from '../../strategy/decide/bet-decision.js';
import type { TradingState } from '../../trading/state.js';
import type { Venues } from '../../venues/venues.js';
import { ReadSet } from '../orders/read-set.js';
import type { PossibleBet } from './bet-scope.js';
import { betDraft } from './bet-terms.js';

/** What a bet has to be held against where only what lowers a worst case is taken, and what has to be read for that. */
export interface StopSight {
  readonly scope: Pick<Scope, 'positions' | 'holdings'>;
  readonly set: MarketSet | null;
}

/** Tells of bets that are only tried which of them a state of trading would refuse, as the write of their orders does. */
export class BetsWhileStopped {
  readonly #set: ReadSet;

  constructor(
    private readonly ledger: Pick<Ledger, 'read'>,
    private readonly venues: Venues,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock'>,
  ) {
    this.#set = new ReadSet(ledger, venues);
  }

  /** What else the holdings of the account belong to is looked up only while a state asks for less risk. */
  async sight(bet: PossibleBet): Promise<StopSight> {
    const { market, paper, buys, strategy } = bet;
    const { account } = strategy;
    const state = await this.ledger.read({ account, service: true }, (now) => this.#state(bet, now));
    if (state?.state !== 'reducing') return { scope: {}, set: null };
    const group = riskGroupOf(market);
    const held = { paper, venue: market.venue, marketId: market.id, outcome: buys };
    const positions = [otherSide(account, held), { account, ...held, strategyId: null }];
    if (group.exclusiveSet === null) return { scope: { positions }, set: { group, groups: new Map() } };
    const groups = await this.#set.groups({ account, paper });
    return { scope: { positions, holdings: paper ? 'paper' : 'live' }, set: { group, groups } };
  }

  /** The code of the refusal; null where no state refuses it. The scope has to name the service, and what `sight` says. */
  refusal(bet: PossibleBet, decision: DecisionSubject & Bet, now: Snapshot, { set }: StopSight): string | null {
    const state = this.#state(bet, now);
    if (state === null) return null;
    const { market, paper, strategy } = bet;
    const at = this.context.clock.now();
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    const { intent } = withEnvelope(intentOf(betDraft(bet, decision, at), market, strategy), market, exchange, at);
    try {
      return refusedBy(state, intent, now, () => known(set))?.code ?? null;
    } catch (error) {
      // Came to be held, or to be set, since it was looked: nothing proves that the bet lowers a worst case.
      if (error instanceof HoldingUnseen) return 'trading_reducing';
      throw error;
    }
  }

  #state({ paper, strategy, market }: PossibleBet, now: Snapshot): TradingState | null {
    return stateFor({ paper, strategyId: strategy.id, sport: market.sport }, now, this.context.wallClock.now());
  }
}

function known(set: MarketSet | null): MarketSet {
  if (set === null) throw new HoldingUnseen();
  return set;
}
