import { formatMicro, ONE } from '../../money.js';
import { isGrown } from '../rules/complete-rules.js';
import { membersOf, RULE_MEMBERS } from '../rules/rule-members.js';
import type { ExitRules } from '../rules/rules.js';
import { tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import type { Warning } from './warning.js';

/** The members of a strategy that are checked for what it should do by itself. */
export type AutomatedRules = Pick<Strategy, 'rules' | 'bankrollCap' | 'automation' | 'automationPaper' | 'paperOnly'>;

/** What is allowed but probably a mistake in members that only a strategy that trades by itself needs. */
export function* automationWarnings(strategy: AutomatedRules): Generator<Warning> {
  const { automation, automationPaper, paperOnly, rules } = strategy;
  if (!automationPaper && paperOnly)
    yield {
      pointer: '/automation_paper',
      detail: 'is false, while paper_only is true: nothing trades with real money',
    };
  if (automation === 'off' && !isGrown(rules)) return;
  if (automation === 'off' && rules.exit?.stop !== undefined)
    yield { pointer: '/rules/exit/stop', detail: 'sells nothing while automation is off' };
  yield* timeWarnings(strategy);
  yield* priceWarnings(strategy);
  if (automation !== 'off' || rules.filter.maxSpread != null) yield* exitWarnings(strategy);
  if (automation !== 'off') yield* boundWarnings(strategy);
}

const { default: USUAL_WAIT } = RULE_MEMBERS.order.giveUpAfterMs;

function* timeWarnings({ rules }: AutomatedRules): Generator<Warning> {
  const { window: { fromMs = null, toMs = null } = {}, phase = 'pre', order = {}, exit } = rules;
  if (phase === 'pre' && fromMs !== null && fromMs >= 0)
    yield { pointer: '/rules/window/from', detail: 'is not before the start, while phase is pre: no bet is made' };
  if (phase === 'in_play' && toMs !== null && toMs <= 0)
    yield {
      pointer: '/rules/window/to',
      detail: 'is not after the start, while phase is in_play: hardly a bet is made',
    };
  const { timeInForce = 'FAK', giveUpAfterMs = USUAL_WAIT } = order;
  // Answers show every default, and a client may send one back.
  const isMeant = giveUpAfterMs !== null && giveUpAfterMs !== USUAL_WAIT;
  if (isMeant && (timeInForce === 'FAK' || timeInForce === 'FOK'))
    yield { pointer: '/rules/order/give_up_after', detail: `has no effect: ${timeInForce} leaves nothing to give up` };
  if (rules.filter.maxBookAgeMs === 0)
    yield {
      pointer: '/rules/filter/max_book_age',
      detail: 'is 0, and hardly a book is that fresh: hardly a bet is made',
    };
  if (exit !== undefined && Object.keys(exit).length === 0)
    yield { pointer: '/rules/exit', detail: 'has no condition, so nothing is sold before the result' };
}

function* priceWarnings(strategy: AutomatedRules): Generator<Warning> {
  const { filter, sizing, limits } = tradingRules(strategy);
  const { signal } = strategy.rules;
  const sizesByEdge = sizing.method === 'kelly' || sizing.method === 'edge_proportional';
  if (filter.minEdge === 0n && !sizesByEdge)
    yield { pointer: '/rules/filter/min_edge', detail: 'is 0, so bets that are expected to win nothing are made' };
  const needs = sizesByEdge || filter.minEdge !== null;
  if (needs && signal === undefined)
    yield { pointer: '/rules/signal', detail: 'is absent, so there is no probability: no bet can be made' };
  const { eventLoss } = limits;
  if (sizing.method === 'flat' && eventLoss !== null && sizing.value > eventLoss) {
    const detail = `is ${formatMicro(sizing.value)}, above limits/event_loss, which is ${formatMicro(eventLoss)}: bets are made smaller`;
    yield { pointer: '/rules/sizing/value', detail };
  }
}

/** What markets of sports charge at most today: the rate of p × (1 − p) of a share. Rules know no market, and so no fee. */
const USUAL_FEE = ONE / 20n;

/**
 * A stop, or a profit, that the spread which the rules allow and the fees of buying and selling reach by themselves. Without a
 * greatest spread that is every stop and every profit in shares of the cost.
 */
function* exitWarnings(strategy: AutomatedRules): Generator<Warning> {
  const { filter, exit } = tradingRules(strategy);
  const { stop, takeProfit } = exit ?? {};
  const { maxSpread } = filter;
  const price = usualPrice(filter);
  // Buying and selling, as a part of the price.
  const fees = (2n * USUAL_FEE * (ONE - price)) / ONE;
  const part = maxSpread === null ? null : (maxSpread * ONE) / price + fees;
  const costs =
    part === null || maxSpread === null
      ? `at a price of ${formatMicro(price)} two fees cost ${formatMicro(fees)} of the stake, and the spread any more, since max_spread is null`
      : `at a price of ${formatMicro(price)} a spread of max_spread, ${formatMicro(maxSpread)}, and two fees cost ${formatMicro(part)} of the stake`;
  if (stop !== undefined && 'loss' in stop && (part === null || stop.loss <= part))
    yield {
      pointer: '/rules/exit/stop/loss',
      detail: `is ${formatMicro(stop.loss)}, and ${costs}: a bet may be sold at once`,
    };
  if (takeProfit !== undefined && 'gain' in takeProfit && (part === null || takeProfit.gain <= part))
    yield {
      pointer: '/rules/exit/take_profit/gain',
      detail: `is ${formatMicro(takeProfit.gain)}, and ${costs}: most of what a price rises by is theirs`,
    };
  yield* exitPriceWarnings(exit ?? {}, price, { maxSpread, fees: (fees * price) / ONE });
}

/** Warnings of a stop or a profit given as a price: a bet is sold at the bid, and bought at the offer. */
function* exitPriceWarnings(
  { stop, takeProfit }: ExitRules,
  price: bigint,
  { maxSpread, fees }: { readonly maxSpread: bigint | null; readonly fees: bigint },
): Generator<Warning> {
  if (stop !== undefined && 'price' in stop && (maxSpread === null || stop.price + maxSpread >= price)) {
    const allowed = maxSpread === null ? 'null, so that a spread may be any' : formatMicro(maxSpread);
    yield {
      pointer: '/rules/exit/stop/price',
      detail: `is ${formatMicro(stop.price)}, and max_spread is ${allowed}: what is bought at ${formatMicro(price)} may be sold at once`,
    };
  }
  if (takeProfit !== undefined && 'price' in takeProfit && takeProfit.price <= price + fees)
    yield {
      pointer: '/rules/exit/take_profit/price',
      detail: `is ${formatMicro(takeProfit.price)}, and what is bought at ${formatMicro(price)} costs ${formatMicro(price + fees)} with two fees: it may be sold with a loss`,
    };
}

/** One half, or the price nearest to it at which the rules buy. */
function usualPrice({ minOdds, maxOdds, side }: ReturnType<typeof tradingRules>['filter']): bigint {
  const most = minOdds === null ? ONE : (ONE * ONE) / minOdds;
  const least = maxOdds === null ? 1n : (ONE * ONE) / maxOdds;
  const [from, to] = side === 'BACK' ? [least, most] : [ONE - most, ONE - least];
  const half = ONE / 2n;
  const nearest = half < from ? from : half > to ? to : half;
  return nearest > 0n ? nearest : 1n;
}

function* boundWarnings({ rules }: AutomatedRules): Generator<Warning> {
  const guards = (['filter', 'limits', 'order'] as const).flatMap((part) => {
    const asked = new Map<string, unknown>(Object.entries(rules[part] ?? {}));
    const members = membersOf(part).filter(([, { isGuard }]) => isGuard === true);
    return members.map(([name, { shown }]) => [`/rules/${part}/${shown}`, asked.get(name)] as const);
  });
  for (const [pointer, bound] of guards)
    if (bound === null)
      yield { pointer, detail: 'is null, so that nothing restricts it while the strategy trades by itself' };
}
