import * as v from 'valibot';
import { EVIDENCE } from '../../core/market/event.js';
import { isoText } from '../../core/moment.js';
import { formatMicro, plus, ratioText } from '../../core/money.js';
import { BET_RESULTS, type BetRow, betEvidence, outlayOf } from '../../core/performance/bet.js';
import { BET_ORDERS } from '../../core/performance/bet-filter.js';
import { tradeFilters } from './order-wire.js';
import { decimalOut, means, momentOut, momentText, oneOfWords, uuidOut, wholeOut } from './schema.js';

const textOrNull = v.nullable(v.string());
const amountOrNull = v.nullable(decimalOut);
/** Why bets have no price of the close. */
export const NO_CLOSE = ['in_play', 'no_start', 'not_started', 'no_book', 'gap', 'one_sided', 'wide_spread'] as const;
const DECIMALS = 9;

/** The query of `GET /v1/bets`. */
export const betFilters = {
  result: v.optional(
    means(v.picklist(BET_RESULTS, `must be one of ${BET_RESULTS.join(', ')}`), 'Only bets with this result.'),
  ),
  ...tradeFilters('bets', { ofMarket: 'on the market', ofStrategy: 'of', at: 'first_fill_at' }),
  order: v.optional(
    means(
      oneOfWords(BET_ORDERS),
      'Which come first; by default the newest. `worst` and `best` list bets that ended, by their `profit_usdc`.',
    ),
  ),
  settled_after: v.optional(means(momentText, 'Only bets with this `settled_at`, or a later one; none that are open.')),
  settled_before: v.optional(means(momentText, 'Only bets with an earlier `settled_at`; none that are open.')),
};

/** A bet as every route and every file shows it. */
export const betOut = v.object({
  id: means(v.string(), 'The order that opened the bet and, where that order opened several, their number.'),
  paper: means(v.boolean(), 'False for a bet with real money.'),
  venue: means(v.string(), 'Where the market trades.', 'polymarket'),
  event_id: means(textOrNull, 'The event of the market at the venue; null where it has none.'),
  event: means(textOrNull, 'The title of that event.', 'Arsenal against Chelsea'),
  market_id: means(v.string(), 'The market.'),
  question: means(textOrNull, 'What the market asked when the first order was placed.', 'Arsenal or Chelsea?'),
  sport: means(textOrNull, 'The sport of the market.', 'soccer'),
  league: means(textOrNull, 'The league of the market.', 'epl'),
  kind: means(textOrNull, 'The kind of the market.', 'moneyline'),
  line: means(textOrNull, 'The handicap or total of the market.', '2.5'),
  strategy_id: means(v.nullable(uuidOut), 'The strategy that bet; null where a client placed the first order.'),
  strategy_version: means(v.nullable(wholeOut), 'The version of it that placed the first order.', 1),
  outcome_label: means(textOrNull, 'The name of the outcome that was bought.', 'Arsenal'),
  side: means(v.picklist(['BACK', 'LAY']), 'For LAY the outcome bought is the other one than the rules name.'),
  first_fill_at: means(momentOut, 'When the first share was bought.'),
  last_fill_at: means(momentOut, 'When the last share was bought or sold.'),
  settled_at: means(v.nullable(momentOut), 'When its result was booked, or its last share was sold; null while open.'),
  seconds_to_start: means(
    v.nullable(v.number()),
    'From the first fill to the start of the event; below 0 after it, null where the start is not known.',
    3600,
  ),
  phase: means(v.picklist(['pre', 'in_play']), 'Whether the first fill was before the start of the event.'),
  shares: means(decimalOut, 'All shares that were bought.', '35.08'),
  stake_usdc: means(decimalOut, 'What they cost in USDC, before fees.', '19.9956'),
  fees_usdc: means(decimalOut, 'The fees of purchases and sales, in USDC.', '0.42985'),
  avg_price: means(decimalOut, 'Stake over shares, with nine decimals.', '0.570000000'),
  avg_cost: means(decimalOut, 'Stake and fees over shares, with nine decimals.', '0.582253421'),
  mid_at_decision: means(
    amountOrNull,
    'The middle of the book of the outcome when the first order was decided.',
    '0.565',
  ),
  best_at_decision: means(amountOrNull, 'The best price at which it could be bought then.', '0.57'),
  mid_at_arrival: means(amountOrNull, 'The middle of the book when that order reached it.', '0.565'),
  best_at_arrival: means(amountOrNull, 'The best price at which it could be bought then.', '0.57'),
  p_model: means(amountOrNull, 'The probability of what was bought that the strategy stated before the bet.', '0.6'),
  close_price: means(amountOrNull, 'The middle of the last book before the start of the event.', '0.59'),
  close_reason: means(v.nullable(v.picklist(NO_CLOSE)), 'Why there is no such price; null where there is one.'),
  payout: means(amountOrNull, 'What each share paid, in USDC; null without a result.', '1'),
  sold_for_usdc: means(decimalOut, 'What sales brought before fees, in USDC.', '0'),
  proceeds_usdc: means(decimalOut, 'What sales and the result brought before fees, in USDC.', '35.08'),
  profit_usdc: means(
    decimalOut,
    'What the bet earned, in USDC, after fees; while it is open, with what is held at what the bids would pay.',
    '14.65455',
  ),
  result: means(v.picklist(BET_RESULTS), '`closed_early`: everything was sold before the result.'),
  liquidity: means(v.picklist(['maker', 'taker', 'mixed']), 'Whether its orders waited in the book, or took from it.'),
  fill_models: means(v.array(v.string()), 'What simulated fills assumed, each once.'),
  evidence: means(
    v.nullable(v.picklist(EVIDENCE)),
    'What the market data can prove that simulated fills met, the least of it: `l2` for what a venue sends here; null with real money.',
  ),
  order_ids: means(v.array(v.string()), 'Its orders, oldest first.'),
  equity_at_entry_usdc: means(
    amountOrNull,
    'The cash of the account before the first fill, with what its open bets cost; null if not known.',
  ),
  at_risk_usdc: means(amountOrNull, 'What the open bets of the account cost then; null if not known.'),
});

/** The members of a bet, in the order of `betOut`. */
export type BetWire = v.InferInput<typeof betOut>;

/** The names of those members, which are also the columns of `bets.csv`. */
export const BET_MEMBERS = Object.keys(betOut.entries) as readonly (keyof BetWire)[];

/** A bet as the API and `bets.csv` show it; every member is always present. */
export function betWire(row: BetRow): BetWire {
  const { event, strategy, close, atDecision, atArrival } = row;
  return {
    id: row.id,
    paper: row.paper,
    venue: row.venue,
    event_id: event?.id ?? null,
    event: event?.title ?? null,
    market_id: row.marketId,
    question: row.question,
    sport: row.sport,
    league: row.league,
    kind: row.kind,
    line: row.line,
    strategy_id: strategy?.id ?? null,
    strategy_version: strategy?.version ?? null,
    outcome_label: row.outcomeLabel,
    side: row.side,
    first_fill_at: isoText(row.firstFillAt),
    last_fill_at: isoText(row.lastFillAt),
    settled_at: row.settledAt === null ? null : isoText(row.settledAt),
    seconds_to_start: row.secondsToStart,
    phase: row.phase,
    shares: formatMicro(row.shares),
    stake_usdc: formatMicro(row.stake),
    fees_usdc: formatMicro(row.fees),
    avg_price: ratioText({ n: row.stake, d: row.shares }, DECIMALS),
    avg_cost: ratioText({ n: outlayOf(row), d: row.shares }, DECIMALS),
    mid_at_decision: written(atDecision?.mid),
    best_at_decision: written(atDecision?.best),
    mid_at_arrival: written(atArrival?.mid),
    best_at_arrival: written(atArrival?.best),
    p_model: written(row.probability),
    close_price: typeof close === 'string' ? null : formatMicro(close.price),
    close_reason: typeof close === 'string' ? close : null,
    payout: written(row.payout),
    sold_for_usdc: formatMicro(row.soldFor),
    proceeds_usdc: formatMicro(plus(row.soldFor, row.paid)),
    profit_usdc: formatMicro(row.profit),
    result: row.result,
    liquidity: row.liquidity,
    fill_models: [...row.fillModels],
    evidence: betEvidence(row),
    order_ids: [...row.orderIds],
    equity_at_entry_usdc: written(row.equityAtEntry),
    at_risk_usdc: written(row.atRisk),
  };
}

const written = (amount: bigint | null | undefined): string | null =>
  amount === null || amount === undefined ? null : formatMicro(amount);
