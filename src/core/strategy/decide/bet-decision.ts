import type { MarketId, StrategyId, VenueName } from '../../ids.js';
import type { OutcomeSide } from '../../market/market.js';
import { type Price, parseMicro, type Shares, type Usdc } from '../../money.js';
import type { RuleResult } from '../conditions/rule-log.js';
import type { Fraction, Odds } from '../rules/rules.js';

/** Every input that was seen, by its name, as text. */
export type InputsSeen = Readonly<Record<string, string | null>>;

/** An input that is an amount; null where it was not seen. */
export function seenAmount({ inputs }: Pick<DecisionSubject, 'inputs'>, name: string): bigint | null {
  const text = inputs[name] ?? null;
  return text === null ? null : parseMicro(text);
}

/** What a decision is about: the version that decided, and what would be bought. */
export interface DecisionSubject {
  readonly at: Date;
  readonly strategyId: StrategyId;
  readonly strategyVersion: number;
  readonly marketId: MarketId;
  readonly venue: VenueName;
  /** What is bought: for LAY the complement of the outcome that was judged. */
  readonly token: OutcomeSide;
  readonly outcomeLabel: string | null;
  /** What the market asks; null where that is not known. */
  readonly question: string | null;
  /** The title of the event that the market belongs to; null where it has none. */
  readonly event: string | null;
  /** Of the outcome that was judged. */
  readonly probability: Fraction | null;
  readonly inputs: InputsSeen;
  /** Every rule that restricts, in the order in which they were tested. */
  readonly rules: readonly RuleResult[];
}

/**
 * Whether a strategy bets on an outcome now, and why not. A bet is what an order of `size` at `price` gets from the book that
 * was seen: so many shares, for this cost.
 */
export type BetDecision = DecisionSubject & (Bet | Skip);

/** An order to place. */
export interface Bet {
  readonly verdict: 'bet';
  readonly code: null;
  /** The limit of the order: the worst level that the odds, the edge and the slippage permit. */
  readonly price: Price;
  /** Money at the limit, as orders have it. */
  readonly size: Usdc;
  /** What it gets from the book as it was seen. */
  readonly shares: Shares;
  /** Money out for those, with fees. */
  readonly cost: Usdc;
  /** Odds of the outcome that was judged, of the whole stake, net of fees. */
  readonly odds: Odds;
  /** Expected yield of the whole stake, net of fees; null without a probability. */
  readonly edge: Fraction | null;
  /** What kept the bet from being larger: `method`, `stake_cap`, `bankroll`, the name of a limit, `depth`, `free_cash` or `venue_maximum`. */
  readonly boundBy: string;
  /** The number of the bet on this outcome. */
  readonly slot: number;
}

/** No order. */
export interface Skip {
  readonly verdict: 'skip';
  /** Why: the first rule that was not true. */
  readonly code: string;
  readonly price: null;
  readonly size: null;
  readonly shares: null;
  readonly cost: null;
  /** At the best level, or of the whole stake where there was one; null where they are not known. */
  readonly odds: Odds | null;
  readonly edge: Fraction | null;
  readonly boundBy: string | null;
  readonly slot: null;
}

/** The same decision as a skip for another reason than its rules. */
export function skipOf(decision: BetDecision, code: string): BetDecision {
  const nothing = { price: null, size: null, shares: null, cost: null, slot: null };
  return { ...decision, verdict: 'skip', code, ...nothing };
}
