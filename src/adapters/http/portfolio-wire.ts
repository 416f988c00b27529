import * as v from 'valibot';
import type { EquityPoint } from '../../core/account/portfolio.js';
import { type Holding, type Portfolio, worthOf } from '../../core/account/portfolio.js';
import type { HoldingFilter } from '../../core/account/position.js';
import type { StrategyId } from '../../core/ids.js';
import { outcomeOf } from '../../core/market/market.js';
import { formatMicro, minus, ONE, plus, type Usdc } from '../../core/money.js';
import { outcomeWords } from '../../core/order/order-words.js';
import type { Pause } from '../../ports/system.js';
import {
  booleanText,
  decimalOut,
  environmentOut,
  means,
  momentOut,
  outcomeNameOut,
  uuid,
  uuidOut,
  wholeOut,
} from './schema.js';

/** The filters of everything under `/v1/portfolio`. */
export const holdingFilters = {
  paper: v.optional(means(booleanText, 'False for real money; true, or absent, for paper.')),
  strategy_id: v.optional(means(uuid, 'Only what was bought and sold under this strategy.')),
};

const holdingOut = v.object({
  market_id: means(v.string(), 'The id of the market at its venue.'),
  token: means(v.picklist(['YES', 'NO']), 'YES is the first outcome of the market, NO the second.'),
  outcome_label: means(v.nullable(v.string()), 'The name of the outcome in its market.', 'Arsenal'),
  question: means(v.nullable(v.string()), 'What the market asks.'),
  shares: means(decimalOut, 'Shares that are held, including those reserved for working SELL orders.', '35.08'),
  average_price: means(decimalOut, '`cost_usdc / shares`, in USDC a share, rounded down; 0 without shares.', '0.57'),
  cost_usdc: means(decimalOut, 'What the shares that are held cost, in USDC, before fees.', '19.9956'),
  mark_price: means(
    v.nullable(decimalOut),
    'What one share could be sold for now, in USDC: the best bid, or what the result pays. Null when that is not known.',
    '0.61',
  ),
  value_usdc: means(decimalOut, '`shares` at the mark, in USDC, rounded down; `cost_usdc` without a mark.', '21.3988'),
  unrealised_usdc: means(v.nullable(decimalOut), '`value_usdc` less `cost_usdc`; null without a mark.', '1.4032'),
  realised_usdc: means(
    decimalOut,
    'Proceeds of sales and results in this outcome, less what those shares cost, in USDC, before fees. May be negative.',
    '0',
  ),
  fees_usdc: means(decimalOut, 'Fees paid in this outcome, in USDC.', '0.42985'),
  redeemable_usdc: means(
    decimalOut,
    'What a result paid for shares of this outcome that must still be redeemed on the chain, in USDC; always 0 on paper.',
    '0',
  ),
  venue: means(v.string(), 'Where the market trades.', 'polymarket'),
  name: outcomeNameOut,
});

const worth = {
  paper: means(v.boolean(), 'False for real money.'),
  strategy_id: means(v.nullable(uuidOut), 'The strategy whose part this is; null for the whole account.'),
  at: means(momentOut, 'The time of the figures.'),
  cash_usdc: means(v.nullable(decimalOut), 'Cash, reserved cash included, in USDC; null for a strategy.', '980'),
  redeemable_usdc: means(
    v.nullable(decimalOut),
    'What results paid in real money and must still be redeemed on the chain before it is cash, in USDC; null for a strategy.',
    '0',
  ),
  equity_usdc: means(
    v.nullable(decimalOut),
    '`cash_usdc`, `redeemable_usdc` and `value_usdc` together; null for a strategy.',
    '1001.3988',
  ),
  value_usdc: means(
    decimalOut,
    'What all open positions could be sold for, in USDC; those without a mark are valued at cost.',
    '21.3988',
  ),
  realised_usdc: means(decimalOut, 'Of all positions, closed ones too, in USDC, before fees. May be negative.', '0'),
  unrealised_usdc: means(decimalOut, '`value_usdc` less what the open positions cost. May be negative.', '1.4032'),
  fees_usdc: means(decimalOut, 'All fees that were paid, in USDC.', '0.42985'),
  profit_usdc: means(decimalOut, 'Realised and unrealised, less fees.', '0.97335'),
};

/** What an account, or the part of one strategy, holds and is worth now. */
export const portfolioOut = v.object({
  ...worth,
  reserved_usdc: means(decimalOut, 'Cash reserved for working BUY orders, fees included, in USDC.', '0'),
  exposure_usdc: means(
    decimalOut,
    'At risk, in USDC: what the open positions cost, and what working BUY orders may still spend. Unlike `cost_usdc` of the positions, it counts orders that have not filled.',
    '19.9956',
  ),
  environment: environmentOut,
  unmarked_positions: means(wholeOut, 'How many open positions have no mark.', 0),
  positions: means(v.array(holdingOut), 'Open positions, and those with something to redeem.'),
});

/** What it was worth at one earlier moment. */
export const equityOut = v.object(worth);

/** The filter of a query: the whole paper account by default. */
export function holdingFilterOf(query: {
  readonly paper?: boolean | undefined;
  readonly strategy_id?: string | undefined;
}): HoldingFilter {
  return { paper: query.paper ?? true, strategyId: (query.strategy_id as StrategyId | undefined) ?? null };
}

type PortfolioOut = v.InferInput<typeof portfolioOut>;

/** So many positions are written in one turn of the process. */
const AT_ONCE = 100;

/** The answer for a portfolio, made in several turns of the process where it has many positions. */
export async function presentPortfolio(portfolio: Portfolio, pause: Pause): Promise<PortfolioOut> {
  const positions: PortfolioOut['positions'] = [];
  for (const holding of portfolio.holdings) {
    if (positions.push(presentHolding(holding)) % AT_ONCE === 0) await pause();
  }
  return { ...presentSums(portfolio), positions };
}

const texts = new WeakMap<Portfolio, Promise<string>>();

/** The answer for a portfolio as JSON, written once for all who share the portfolio. */
export function portfolioText(portfolio: Portfolio, pause: Pause): Promise<string> {
  const text = texts.get(portfolio) ?? written(portfolio, pause);
  texts.set(portfolio, text);
  return text;
}

async function written(portfolio: Portfolio, pause: Pause): Promise<string> {
  const positions: string[] = [];
  for (const holding of portfolio.holdings) {
    if (positions.push(JSON.stringify(presentHolding(holding))) % AT_ONCE === 0) await pause();
  }
  return `${JSON.stringify(presentSums(portfolio)).slice(0, -1)},"positions":[${positions.join(',')}]}`;
}

function presentSums(portfolio: Portfolio): Omit<PortfolioOut, 'positions'> {
  const { filter, at, cash, equity, value } = portfolio;
  return {
    ...presentWorth({ ...portfolio, ...filter, at, cash, equity, value }),
    reserved_usdc: formatMicro(portfolio.reserved),
    exposure_usdc: formatMicro(portfolio.exposure),
    ...(portfolio.money === 'play money' && { environment: 'demo' as const }),
    unmarked_positions: portfolio.unmarked,
  };
}

/** The answer for one point of its history. */
export function presentEquity(point: EquityPoint): v.InferInput<typeof equityOut> {
  const equity = point.cash === null ? null : plus(plus(point.cash, point.redeemable), point.positions);
  return presentWorth({ ...point, equity, value: point.positions });
}

interface Worth
  extends HoldingFilter,
    Pick<EquityPoint, 'at' | 'cash' | 'redeemable' | 'realised' | 'unrealised' | 'fees'> {
  readonly equity: Usdc | null;
  readonly value: Usdc;
}

function presentWorth(worth: Worth) {
  const { paper, strategyId, at, cash, redeemable, equity, value, realised, unrealised, fees } = worth;
  return {
    paper,
    strategy_id: strategyId,
    at: at.toISOString(),
    cash_usdc: formatted(cash),
    redeemable_usdc: strategyId === null ? formatMicro(redeemable) : null,
    equity_usdc: formatted(equity),
    value_usdc: formatMicro(value),
    realised_usdc: formatMicro(realised),
    unrealised_usdc: formatMicro(unrealised),
    fees_usdc: formatMicro(fees),
    profit_usdc: formatMicro(minus(plus(realised, unrealised), fees)),
  };
}

function presentHolding(holding: Holding): v.InferInput<typeof holdingOut> {
  const { position, market, mark } = holding;
  const { outcome, shares, cost } = position;
  const value = worthOf(holding);
  const label = market === null ? null : (outcomeOf(market, outcome)?.label ?? null);
  return {
    market_id: position.marketId,
    token: outcome,
    outcome_label: label,
    question: market?.question ?? null,
    shares: formatMicro(shares),
    average_price: shares === 0n ? '0' : formatMicro((cost * ONE) / shares),
    cost_usdc: formatMicro(cost),
    mark_price: formatted(mark),
    value_usdc: formatMicro(value),
    unrealised_usdc: mark === null ? null : formatMicro(minus(value, cost)),
    realised_usdc: formatMicro(position.realised),
    fees_usdc: formatMicro(position.fees),
    redeemable_usdc: formatMicro(position.redeemable),
    venue: position.venue,
    name: outcomeWords({
      ...position,
      outcomeLabel: label,
      event: market?.event?.title ?? null,
      question: market?.question ?? null,
      marketSlug: market?.slug ?? null,
    }),
  };
}

const formatted = (amount: Usdc | null) => (amount === null ? null : formatMicro(amount));
