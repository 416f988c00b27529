import * as v from 'valibot';
import { formatMicro } from '../../core/money.js';
import { decidedWords } from '../../core/order/order-words.js';
import { meaningOfSkip, reasonOf } from '../../core/refusals/decision-reason.js';
import type { DecisionRecord, SkipCount } from '../../core/strategy/record/decision-record.js';
import type { Evaluated } from '../../core/usecases/strategies/evaluate-strategy.js';
import { decimalOut, means, momentOut, outcomeNameOut, uuidOut, wholeOut } from './schema.js';

const amountOut = v.nullable(decimalOut);
const textOrNull = v.nullable(v.string());

const ruleOut = v.object({
  rule: means(v.string(), 'The member of the rules that was tested.', 'filter/min_odds'),
  value: means(textOrNull, 'What was found; null where it is not known.', '1.75'),
  bound: means(textOrNull, 'What the rule asks for.', '1.5'),
  passed: means(v.nullable(v.boolean()), 'Null where an input was missing: then there is no bet.'),
});

const MEMBERS = {
  at: means(momentOut, 'When it was decided: on a tape, in the time of the tape.'),
  strategy_id: means(uuidOut, 'The strategy that decided.'),
  strategy_version: means(wholeOut, 'The version of it that decided.', 3),
  market_id: means(v.string(), 'The market.'),
  venue: means(v.string(), 'The venue of the market.', 'polymarket'),
  token: means(
    v.picklist(['YES', 'NO']),
    'What would be bought, for LAY the other outcome than the one named; or what is sold.',
  ),
  outcome_label: means(textOrNull, 'The label of what would be bought or sold.', 'Arsenal'),
  question: means(textOrNull, 'What the market asks; null where that is not known.', 'Arsenal or Chelsea?'),
  event: means(textOrNull, 'The title of the event of the market; null where it has none.', 'Arsenal against Chelsea'),
  name: outcomeNameOut,
  verdict: means(v.picklist(['bet', 'skip']), 'Whether it orders: a bet, or the sale of one where `slot` is null.'),
  code: means(textOrNull, 'Why there is no bet; null for a bet.', 'odds_out_of_range'),
  reason: means(
    v.string(),
    'Why it bets, sells or does neither: a sentence with the figures that decided. Its words may change.',
    'The odds are 1.45; the rules want 1.5 or longer.',
  ),
  price: means(amountOut, 'The limit of the order.', '0.57'),
  size_usdc: means(amountOut, 'The `size_usdc` of the order: money at the limit.', '20'),
  shares: means(amountOut, 'What the order gets from the book as it was seen, or sells.', '35.08'),
  cost_usdc: means(amountOut, 'What those shares cost, fees included; null for a sale.', '20.43'),
  odds: means(amountOut, 'Decimal odds of the outcome that the rules name, for the whole stake, net of fees.', '1.717'),
  edge: means(amountOut, 'Expected yield of the whole stake, net of fees; null without a probability.', '0.03'),
  probability: means(amountOut, 'The probability of the outcome that the rules name; null without a signal.', '0.6'),
  bound_by: means(
    textOrNull,
    'What kept the bet from being larger; for a sale the rule that asked for it.',
    'stake_cap',
  ),
  slot: means(v.nullable(wholeOut), 'The number of the bet on this outcome, from 1; null for a sale.', 1),
  inputs: means(v.record(v.string(), textOrNull), 'Everything that was seen, by its name.'),
  rules: means(v.array(ruleOut), 'Every rule that restricts, in the order in which they were tested.'),
  order_id: means(v.nullable(uuidOut), 'The order that it placed.'),
  approval_id: means(v.nullable(uuidOut), 'The approval that it waits for, or came from.'),
};

/** What a strategy would do now: a decision that is not on record. */
export const evaluationOut = v.object(MEMBERS);

/** A decision on record. */
export const decisionOut = v.object({ id: means(uuidOut, 'The id of the decision.'), ...MEMBERS });

/** How often a strategy skipped, for one code within an hour. */
export const skipCountOut = v.object({
  hour: means(momentOut, 'The beginning of the hour, in UTC.'),
  code: means(v.string(), 'Why there was no bet.', 'odds_out_of_range'),
  reason: means(v.string(), 'The same as a sentence.', 'The odds are not those that the rules permit.'),
  count: means(wholeOut, 'How often.', 12),
});

/** A decision that is not on record, as the API shows it. */
export function presentEvaluation(decision: Evaluated | DecisionRecord): v.InferInput<typeof evaluationOut> {
  const { at, price, size, shares, cost, odds, edge, probability } = decision;
  return {
    at: at.toISOString(),
    strategy_id: decision.strategyId,
    strategy_version: decision.strategyVersion,
    market_id: decision.marketId,
    venue: decision.venue,
    token: decision.token,
    outcome_label: decision.outcomeLabel,
    question: decision.question,
    event: decision.event,
    name: decidedWords(decision),
    verdict: decision.verdict,
    code: decision.code,
    reason: reasonOf(decision),
    price: written(price),
    size_usdc: written(size),
    shares: written(shares),
    cost_usdc: written(cost),
    odds: written(odds),
    edge: written(edge),
    probability: written(probability),
    bound_by: decision.boundBy,
    slot: decision.slot,
    inputs: { ...decision.inputs },
    rules: decision.rules.map((rule) => ({ ...rule })),
    order_id: null,
    approval_id: null,
  };
}

/** A decision on record, as the API shows it. */
export function presentDecision(decision: DecisionRecord): v.InferInput<typeof decisionOut> {
  const { id, orderId, approvalId } = decision;
  return { id, ...presentEvaluation(decision), order_id: orderId, approval_id: approvalId };
}

/** How often a strategy skipped, as the API shows it. */
export const presentSkips = ({ hour, code, count }: SkipCount): v.InferInput<typeof skipCountOut> => ({
  hour: hour.toISOString(),
  code,
  reason: meaningOfSkip(code),
  count,
});

const written = (amount: bigint | null): string | null => (amount === null ? null : formatMicro(amount));
