import type { Account } from '../account/account.js';
import { tradingFor } from '../account/account.js';
import type { Position, PositionKey } from '../account/position.js';
import { LIMIT_CODES, NO_LIMITS } from '../limits/limits.js';
import { minus, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import { type Order, type Refusal, refusal } from '../order/order.js';
import type { LimitLeft } from '../strategy/conditions/candidate.js';
import type { SaleBound, SharesLeft } from '../strategy/exit/exit-inputs.js';
import type { RuleMember } from '../strategy/rules/rule-member.js';
import { RULE_MEMBERS } from '../strategy/rules/rule-members.js';
import { tradingRules } from '../strategy/rules/trading-rules.js';
import type { Exposure, Strategy } from '../strategy/strategy.js';
import {
  betsOn,
  ENTRIES_WITHIN_MINUTES,
  entriesWithin,
  lostOn,
  MOST_ENTRIES,
  NOTHING_BET,
} from '../strategy/strategy.js';
import { strategyScope } from '../trading/state.js';
import { dollars, figures, lossesLeft, overLosses, type RiskFacts, saleLeft } from './account-limits.js';
import { ofService } from './trading-watch.js';

/** What the rules of a strategy let it lose and do, whoever places its orders; null does not restrict. */
export interface StrategyBounds {
  readonly eventLoss: Usdc | null;
  readonly dailyLoss: Usdc | null;
  readonly maxBetsPerDay: number | null;
}

const UNBOUND: StrategyBounds = { eventLoss: null, dailyLoss: null, maxBetsPerDay: null };

/** Those of a version. */
export function boundsOf(strategy: Strategy): StrategyBounds {
  if (strategy.automation === 'off' && strategy.rules.limits === undefined) return UNBOUND;
  const { eventLoss, dailyLoss, maxBetsPerDay } = tradingRules(strategy).limits;
  return { eventLoss, dailyLoss, maxBetsPerDay };
}

/** What an order of a strategy is compared with, all of the moment of the decision. */
export interface StrategyFacts extends Pick<RiskFacts, 'group'> {
  readonly bounds: StrategyBounds;
  readonly exposure: Exposure;
  /** What the strategy holds; read where events are bounded. */
  readonly risks: RiskFacts['risks'];
  /** What trading brought, sold or not; read where days are bounded. */
  readonly gain: Usdc;
  readonly today: string;
}

/** Why an order that was not reserved yet is above a limit of the rules of its strategy, or null. Sales may raise no worst case. */
export function overStrategyLimits(order: Order, facts: StrategyFacts): Refusal | null {
  const { bounds, exposure, today, gain } = facts;
  const { counted = NOTHING_BET } = exposure;
  if (order.intent.side === 'BUY') {
    const { maxBetsPerDay, dailyLoss } = bounds;
    const bets = betsOn(counted, today);
    if (maxBetsPerDay !== null && bets >= maxBetsPerDay)
      return aboveRule(RULE_MEMBERS.limits.maxBetsPerDay, figures(bets, maxBetsPerDay));
    const lost = lostOn(counted, today, gain);
    if (dailyLoss !== null && lost >= dailyLoss)
      return refusal(
        LIMIT_CODES.dailyLossUsdc,
        `The strategy has lost today what it may lose in a day: ${dollars(lost, dailyLoss)}`,
      );
  }
  return overLosses(order, { ...facts, limits: eventLimit(facts) }, 'The strategy');
}

/** The refusal of an order above a limit of the rules. */
const aboveRule = ({ refusal: { code, message } }: Required<Pick<RuleMember, 'refusal'>>, shown: string): Refusal =>
  refusal(code, `${message}: ${shown}`);

/** What one more purchase may lose by the rules; nothing where they do not bound that. */
export function eventLossLeft(key: PositionKey, facts: EventFacts): readonly LimitLeft[] {
  return lossesLeft(key, { ...facts, limits: eventLimit(facts) }).map((left) => ({ ...left, name: 'event_loss' }));
}

/** The most of a sale that the rules leave; null where they leave all of it. */
export function eventSaleLeft(
  key: PositionKey,
  facts: EventFacts,
  free: Shares,
  lot: Shares,
): SaleBound<SharesLeft> | null {
  const left = saleLeft(key, { ...facts, limits: eventLimit(facts) }, free, lot);
  if (left === null) return null;
  const { shares, forAll } = left.most;
  return { ...left, name: 'event_loss', most: { shares, forAll: plus(forAll, unplaced(facts)) } };
}

type EventFacts = Pick<StrategyFacts, 'bounds' | 'exposure' | 'risks' | 'group'>;

/** What may be lost in an event. */
function eventLimit(facts: EventFacts): RiskFacts['limits'] {
  const { eventLoss } = facts.bounds;
  return { ...NO_LIMITS, eventLossUsdc: eventLoss === null ? null : minus(eventLoss, unplaced(facts)) };
}

/** What the strategy has at work of which it is not kept in which event: from before that was kept. It counts in each. */
export function unplaced({ exposure: { committed }, risks }: Pick<StrategyFacts, 'exposure' | 'risks'>): Usdc {
  return committed > risks.atWork ? minus(committed, risks.atWork) : NO_USDC;
}

/** What a strategy that re-enters too fast leads to: no order, and none that raises a worst case until a person allows it. */
export interface Throttled {
  readonly refusal: Refusal;
  readonly account: Account;
  /** Counts from nothing once it may go on. */
  readonly part: Position;
}

/** Null for an order that may pass. `part` is what the strategy holds of the outcome; `at` is by the clock of orders. */
export function throttled(
  order: Order,
  { id, automation }: Strategy,
  part: Position,
  account: Account,
  moments: { readonly at: Date; readonly wall: Date },
): Throttled | null {
  const { side, paper } = order.intent;
  const entries = entriesWithin(part.entries ?? [], moments.at).length;
  if (automation === 'off' || side === 'SELL' || entries < MOST_ENTRIES) return null;
  const words = `The strategy was filled in this outcome ${entries} times within ${ENTRIES_WITHIN_MINUTES} minutes without a person`;
  const stopped = refusal(LIMIT_CODES.entries, `${words}: ${figures(entries, MOST_ENTRIES)}`);
  const about = { scope: strategyScope(id), stops: paper ? 'all' : 'live' } as const;
  const trading = ofService(tradingFor(account), stopped.code, 'reducing', words, moments.wall, about);
  return { refusal: stopped, account: { ...account, trading }, part: { ...part, entries: undefined } };
}
