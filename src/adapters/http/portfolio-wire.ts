import * as v from 'valibot';
import type { EquityPoint } from '../../core/account/equity.js';
import { type Holding, type Portfolio, worthOf } from '../../core/account/portfolio.js';
import type { StrategyId } from '../../core/ids.js';
import type { HoldingFilter } from '../../core/ledger/query.js';
import { outcomeOf } from '../../core/market/market.js';
import { formatMicro, minus, ONE, plus, type Usdc } from '../../core/money.js';
import { decimalOut, flag, momentOut, uuid, uuidOut } from './schema.js';

/** The filters of everything under `/v1/portfolio`. */
export const holdingFilters = { paper: v.optional(flag), strategy_id: v.optional(uuid) };

const holdingOut = v.object({
  market_id: v.string(),
  token: v.picklist(['YES', 'NO']),
  outcome_label: v.nullable(v.string()),
  question: v.nullable(v.string()),
  shares: decimalOut,
  average_price: decimalOut,
  cost_usdc: decimalOut,
  mark_price: v.nullable(decimalOut),
  value_usdc: decimalOut,
  unrealised_usdc: v.nullable(decimalOut),
  realised_usdc: decimalOut,
  fees_usdc: decimalOut,
});

const worth = {
  paper: v.boolean(),
  strategy_id: v.nullable(uuidOut),
  at: momentOut,
  cash_usdc: v.nullable(decimalOut),
  equity_usdc: v.nullable(decimalOut),
  value_usdc: decimalOut,
  realised_usdc: decimalOut,
  unrealised_usdc: decimalOut,
  fees_usdc: decimalOut,
  profit_usdc: decimalOut,
};

/** What an account, or the part of one strategy, holds and is worth now. */
export const portfolioOut = v.object({
  ...worth,
  reserved_usdc: decimalOut,
  exposure_usdc: decimalOut,
  unmarked_positions: v.number(),
  positions: v.array(holdingOut),
});

/** What it was worth at one moment before. */
export const equityOut = v.object(worth);

/** What a query looks at: the whole paper account unless it says otherwise. */
export function holdingFilterOf(query: {
  readonly paper?: boolean | undefined;
  readonly strategy_id?: string | undefined;
}): HoldingFilter {
  return { paper: query.paper ?? true, strategyId: (query.strategy_id as StrategyId | undefined) ?? null };
}

/** The answer for a portfolio. */
export function presentPortfolio(portfolio: Portfolio): v.InferInput<typeof portfolioOut> {
  const { filter, at, cash, equity, value, holdings } = portfolio;
  return {
    ...presentWorth({ ...portfolio, ...filter, at, cash, equity, value }),
    reserved_usdc: formatMicro(portfolio.reserved),
    exposure_usdc: formatMicro(portfolio.exposure),
    unmarked_positions: portfolio.unmarked,
    positions: holdings.map(presentHolding),
  };
}

/** The answer for one point of its history. */
export function presentEquity(point: EquityPoint): v.InferInput<typeof equityOut> {
  const equity = point.cash === null ? null : plus(point.cash, point.positions);
  return presentWorth({ ...point, equity, value: point.positions });
}

interface Worth extends HoldingFilter, Pick<EquityPoint, 'at' | 'cash' | 'realised' | 'unrealised' | 'fees'> {
  readonly equity: Usdc | null;
  readonly value: Usdc;
}

function presentWorth({ paper, strategyId, at, cash, equity, value, realised, unrealised, fees }: Worth) {
  return {
    ...{ paper, strategy_id: strategyId, at: at.toISOString() },
    cash_usdc: formatted(cash),
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
  const { token, shares, cost } = position;
  const value = worthOf(holding);
  return {
    market_id: position.marketId,
    token,
    outcome_label: market === null ? null : (outcomeOf(market, token)?.label ?? null),
    question: market?.question ?? null,
    shares: formatMicro(shares),
    average_price: formatMicro((cost * ONE) / shares),
    cost_usdc: formatMicro(cost),
    mark_price: formatted(mark),
    value_usdc: formatMicro(value),
    unrealised_usdc: mark === null ? null : formatMicro(minus(value, cost)),
    realised_usdc: formatMicro(position.realised),
    fees_usdc: formatMicro(position.fees),
  };
}

const formatted = (amount: Usdc | null) => (amount === null ? null : formatMicro(amount));
