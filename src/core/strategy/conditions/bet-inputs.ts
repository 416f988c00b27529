import type { BookView } from '../../market/book.js';
import type { Market, OutcomeSide } from '../../market/market.js';
import type { Price, Shares, Usdc } from '../../money.js';
import type { Signal } from '../../signal/signal.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';

/** A version of a strategy as far as a decision needs it; its rules come beside it, with every default filled in. */
export type DecidingStrategy = Pick<Strategy, 'id' | 'version' | 'bankrollCap' | 'stakeCap' | 'isPaused'>;

/** What a signal says of both outcomes of a market. */
export type Estimate = Pick<Signal, 'first' | 'second' | 'expiresAt'>;

/** Another market of the exclusive set: its first outcome is another result of the same game. */
export interface SetMember {
  readonly market: Market;
  /** In terms of its first outcome. */
  readonly book: BookView | null;
  readonly estimate: Estimate | null;
}

/** What one limit leaves for one more purchase. */
export interface LimitLeft {
  /** Such as `event_loss_usdc`; a bet that it bounds says so by this name. */
  readonly name: string;
  /** The most that the purchase may take out if its outcome does not win; null where that could not be read, and then nothing is bet. */
  readonly left: Usdc | null;
  /** The most that it may take out, less what its shares pay, if each pays one half, */
  readonly ifSplit?: Usdc;
  /** or if its outcome wins. */
  readonly ifWon?: Usdc;
  /** True where it bounds the worth of each order at its limit price instead. */
  readonly isSize?: true;
}

/** The bets that the strategy has made; null where it is not known, such as those on the event of a market without one. */
export interface BetsMade {
  /** Slots used on this outcome, by any version of the strategy. */
  readonly onOutcome: number;
  /** The highest number of those slots, where a reset of the paper account has freed some; absent, there are as many. */
  readonly lastSlot?: number;
  readonly onMarket: number;
  readonly onEvent: number | null;
  readonly today: number;
  /** Neither given up nor settled. */
  readonly open: number;
  /** The last one on this outcome. */
  readonly lastAt: Date | null;
  /** True once a condition was false since the last one: a bet is made when conditions become true, not while they are. */
  readonly rearmed: boolean;
}

/** Everything that a decision is made of, from one moment: nothing is fetched in it. */
export interface BetInputs {
  readonly strategy: DecidingStrategy;
  readonly rules: TradingRules;
  readonly market: Market;
  /** The outcome to judge: BACK would buy it, LAY its complement. */
  readonly outcome: OutcomeSide;
  /** In terms of the market's first outcome. */
  readonly book: BookView | null;
  /** All other markets of the market's exclusive set; none where it has no set. */
  readonly others: readonly SetMember[];
  /** By the signal that the rules name; null where it says nothing of the market. */
  readonly estimate: Estimate | null;
  /** What the strategy holds of what would be bought. */
  readonly held: Shares;
  /** What the strategy has at work. */
  readonly committed: Usdc;
  readonly freeCash: Usdc;
  /** That of the server, those of the strategy, then those of the account. */
  readonly limitsLeft: readonly LimitLeft[];
  /** The most that one order may be at the venue; null without a bound. */
  readonly venueMaximum: Usdc | null;
  readonly bets: BetsMade;
  /** True while a refused bet is not asked again. */
  readonly benched: boolean;
  /** The best offer of what would be bought when the strategy first judged it. */
  readonly firstPrice: Price | null;
  readonly now: Date;
}
