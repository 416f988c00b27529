import type { MarketTerms } from '../../market/market.js';
import type { OrderDraft, OrderTerms } from '../../order/draft.js';
import type { Bet } from '../../strategy/decide/bet-decision.js';
import { type TradingRules, tradingRules } from '../../strategy/rules/trading-rules.js';
import type { PossibleBet } from './bet-scope.js';

/** Beyond the shortest expiry that a venue takes: an order that is a little late is still taken. */
const MARGIN_MS = 10_000;

/** Where and when an order is placed. */
export interface BetSetting {
  readonly terms: MarketTerms | null;
  readonly paper: boolean;
  readonly at: Date;
}

/**
 * How long a bet rests. FOK and FAK do not. On paper GTC rests, and GTD until it is given up, where that is as far ahead as
 * the venue asks for. With real money what rests ends as early as the venue lets it: it must not outlive a server that is gone.
 */
export function betTerms({ timeInForce, giveUpAfterMs }: TradingRules['order'], setting: BetSetting): OrderTerms {
  const { terms, paper, at } = setting;
  if (timeInForce === 'FOK' || timeInForce === 'FAK') return { timeInForce, expiresAt: null, postOnly: false };
  const shortest = (terms?.gtdLeadMs ?? 0) + MARGIN_MS;
  if (!paper) return untilAfter(shortest, at);
  if (timeInForce === 'GTC' || giveUpAfterMs === null) return { timeInForce: 'GTC', expiresAt: null, postOnly: false };
  return untilAfter(Math.max(shortest, giveUpAfterMs), at);
}

function untilAfter(ms: number, at: Date): OrderTerms {
  return { timeInForce: 'GTD', expiresAt: new Date(at.getTime() + ms), postOnly: false };
}

/** Whose bet it is, what it buys, and with which money. */
export const betNames = ({ strategy, buys, paper }: PossibleBet) => ({
  account: strategy.account,
  strategyId: strategy.id,
  outcome: buys,
  paper,
});

/** The order of a bet. */
export function betDraft(bet: PossibleBet, { price, size }: Pick<Bet, 'price' | 'size'>, at: Date): OrderDraft {
  const { id: marketId, venue } = bet.market;
  const terms = betTerms(tradingRules(bet.strategy).order, { terms: bet.market.terms, paper: bet.paper, at });
  return { ...betNames(bet), venue, marketId, side: 'BUY', price, size, ...terms };
}
