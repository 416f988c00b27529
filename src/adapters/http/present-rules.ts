import type * as v from 'valibot';
import { formatMicro } from '../../core/money.js';
import { isGrown } from '../../core/strategy/rules/complete-rules.js';
import { writeDuration } from '../../core/strategy/rules/rule-duration.js';
import type { ExitRules, OneOrMore, OutcomeChoice, Rules } from '../../core/strategy/rules/rules.js';
import { type TradingRules, tradingRules } from '../../core/strategy/rules/trading-rules.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { named, withValue } from './present.js';
import type { rulesOut } from './rules-out.js';

type Shown = v.InferInput<typeof rulesOut>;
type Automated = Pick<Strategy, 'rules' | 'automation' | 'automationPaper' | 'bankrollCap'>;

/** True where answers show more than rules alone could say: a member for trading by itself was named, or it is not off. */
export const showsAutomation = ({ rules, automation, automationPaper }: Automated): boolean =>
  automation !== 'off' || !automationPaper || isGrown(rules);

/**
 * Rules as every answer shows them: what was asked for, and where any of it is for trading by itself, every default that then
 * holds. Null is shown only where a client wrote it.
 */
export function presentRules(strategy: Automated): Shown {
  const { rules } = strategy;
  if (!showsAutomation(strategy)) return given(rules);
  const { match, outcome, window, exit, signal } = rules;
  const { filter, sizing, phase, limits, order } = tradingRules(strategy);
  const { giveUpAfterMs, maxSlippage } = said(order, rules.order);
  const before = given(rules);
  return {
    version: before.version,
    match: { ...before.match, ...named({ events: match.events && [...match.events], text: match.text }) },
    filter: { ...before.filter, ...filterOf(said(filter, rules.filter)) },
    sizing:
      sizing.method === 'edge_proportional'
        ? { ...before.sizing, reference_edge: number(sizing.referenceEdge) }
        : before.sizing,
    ...named({ outcome: outcome && outcomeOf(outcome) }),
    ...named({ window: window && named({ from: time(window.fromMs), to: time(window.toMs) }) }),
    phase,
    limits: limitsOf(said(limits, rules.limits)),
    order: {
      time_in_force: order.timeInForce,
      ...named({ give_up_after: time(giveUpAfterMs), max_slippage: number(maxSlippage) }),
    },
    ...named({ exit: exit && exitOf(exit), signal }),
  };
}

function given({ version, match, filter, sizing }: Rules) {
  return {
    version,
    match: withValue({ sport: match.sport, market: copied(match.market), league: copied(match.league) }),
    filter: withValue({ min_odds: number(filter.minOdds), max_odds: number(filter.maxOdds), side: filter.side }),
    sizing: { method: sizing.method, value: number(sizing.value) },
  };
}

function filterOf(rule: Partial<TradingRules['filter']>) {
  return named({
    min_edge: number(rule.minEdge),
    max_spread: number(rule.maxSpread),
    min_liquidity_usdc: number(rule.minLiquidity),
    max_drift: number(rule.maxDrift),
    max_book_age: time(rule.maxBookAgeMs),
    max_overround: number(rule.maxOverround),
  });
}

function limitsOf(rule: Partial<TradingRules['limits']>) {
  return named({
    max_bets_per_outcome: rule.maxBetsPerOutcome,
    max_bets_per_market: rule.maxBetsPerMarket,
    max_bets_per_event: rule.maxBetsPerEvent,
    max_bets_per_day: rule.maxBetsPerDay,
    max_open: rule.maxOpen,
    cooldown: time(rule.cooldownMs),
    event_loss: number(rule.eventLoss),
    daily_loss: number(rule.dailyLoss),
  });
}

function outcomeOf(choice: OutcomeChoice): Shown['outcome'] {
  return choice !== 'each' && 'favouriteRank' in choice ? { favourite_rank: choice.favouriteRank } : choice;
}

function exitOf({ takeProfit, stop, ...rule }: ExitRules): Shown['exit'] {
  const gain =
    takeProfit && ('price' in takeProfit ? { price: number(takeProfit.price) } : { gain: number(takeProfit.gain) });
  const loss = stop && ('price' in stop ? { price: number(stop.price) } : { loss: number(stop.loss) });
  return named({
    take_profit: gain,
    stop: loss,
    before_start: time(rule.beforeStartMs),
    after: time(rule.afterMs),
    edge_below: number(rule.edgeBelow),
  });
}

/** What restricts, and what was named, although it does not. */
function said<T extends object>(all: T, asked: object = {}): Partial<T> {
  const shown = Object.entries(all).filter(([name, value]) => value !== null || name in asked);
  return Object.fromEntries(shown) as Partial<T>;
}

type Same<T, As> = As | Extract<T, null | undefined>;

/** As it was written: six decimals below a thousand million are exact in a double. */
function number<T extends bigint | null | undefined>(micro: T): Same<T, number> {
  return (typeof micro === 'bigint' ? Number(formatMicro(micro)) : micro) as Same<T, number>;
}

function time<T extends number | null | undefined>(ms: T): Same<T, string> {
  return (typeof ms === 'number' ? writeDuration(ms) : ms) as Same<T, string>;
}

function copied<T extends string>(names: OneOrMore<T> | null): T | T[] | null {
  return names === null || typeof names === 'string' ? names : [...names];
}
