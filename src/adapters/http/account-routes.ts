import * as v from 'valibot';
import { accountNamed } from '../../core/access/principal.js';
import { PaperAccountNotFound } from '../../core/account/account-errors.js';
import { formatMicro } from '../../core/money.js';
import type { PaperReset } from '../../core/posting/reset.js';
import type { ReadPortfolio } from '../../core/usecases/accounts/read-portfolio.js';
import type { ResetPaperAccount } from '../../core/usecases/accounts/reset-paper-account.js';
import type { Pause } from '../../ports/system.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import {
  equityOut,
  holdingFilterOf,
  holdingFilters,
  portfolioOut,
  portfolioText,
  presentEquity,
} from './portfolio-wire.js';
import { Problem } from './problem.js';
import { type Route, route } from './route.js';
import { decimalOut, describe, means, members, momentOut, wholeOut } from './schema.js';

const RESET = '/v1/admin/accounts/{account}/paper/reset';

const nothing = describe(members({}), { type: 'object', maxProperties: 0 });

const resetOut = v.object({
  account: v.string(),
  cash_usdc: decimalOut,
  reserved_usdc: decimalOut,
  cancelled_orders: wholeOut,
  reset_at: momentOut,
});

/** Everything under `/v1/admin/accounts`. */
export function accountRoutes(resetPaperAccount: ResetPaperAccount): Route[] {
  return [reset(resetPaperAccount)];
}

function reset(resetPaperAccount: ResetPaperAccount): Route {
  return route({
    method: 'POST',
    path: RESET,
    operationId: 'resetPaperAccount',
    tag: 'admin',
    status: 200,
    scopes: ['admin'],
    summary: 'Reset a paper account',
    description:
      'Cancels the working paper orders, and gives the account its opening cash and nothing else: no shares, fees or profit. Orders, strategies and the history stay; a later result pays nothing for what was held before. While a working order cannot be cancelled, the answer is account-busy: some orders may be cancelled then, but no money was touched.',
    body: nothing,
    bodyOptional: true,
    answer: resetOut,
    answerName: 'PaperReset',
    problems: ['not-found', 'account-busy', 'paper-elsewhere'],
    async handle({ principal, id, idempotencyKey }) {
      const account = accountNamed(id);
      if (account === undefined) throw neverTraded(new PaperAccountNotFound());
      const command = { by: principal.account, account, idempotencyKey };
      const { record, replayed } = await resetPaperAccount.execute(command).catch((error) => {
        throw neverTraded(error);
      });
      return { status: 200, body: presentReset(record), replayed };
    },
  });
}

/** An operator may know which accounts exist, so the message can distinguish this from a wrong path. */
function neverTraded(error: unknown): unknown {
  return error instanceof PaperAccountNotFound ? new Problem('not-found', error.message) : error;
}

function presentReset({ account, cash, reserved, cancelledOrders, at }: PaperReset): v.InferInput<typeof resetOut> {
  return {
    account,
    cash_usdc: formatMicro(cash),
    reserved_usdc: formatMicro(reserved),
    cancelled_orders: cancelledOrders,
    reset_at: at.toISOString(),
  };
}

const NOW = '/v1/portfolio';
const common = { method: 'GET', tag: 'portfolio', status: 200, scopes: ['orders:read'] } as const;

/** Everything under `/v1/portfolio`. */
export function portfolioRoutes(portfolio: ReadPortfolio, pause: Pause): Route[] {
  return [now(portfolio, pause), history(portfolio)];
}

function now(portfolio: ReadPortfolio, pause: Pause): Route {
  return route({
    ...common,
    path: NOW,
    operationId: 'getPortfolio',
    summary: 'Read what the account holds and is worth now',
    description:
      'Paper unless `paper` is `false`; with `strategy_id` the part of that strategy, for which cash and equity are null. Open positions are valued at what they could be sold for, or at cost where that is not known. Profit is realised and unrealised, less fees.',
    query: members(holdingFilters),
    answer: portfolioOut,
    answerName: 'Portfolio',
    problems: ['not-found'],
    async handle({ principal, query }) {
      const found = await portfolio.now(principal.account, holdingFilterOf(query));
      return { status: 200, text: await portfolioText(found, pause) };
    },
  });
}

const SPANS_MS = { hour: 3_600_000, day: 86_400_000 } as const;

const every = v.optional(
  means(
    v.picklist(['hour', 'day'], 'must be hour or day'),
    'Only the last point of each hour, or of each day of UTC: for a plot of a long time.',
  ),
);

function history(portfolio: ReadPortfolio): Route {
  return route({
    ...common,
    path: `${NOW}/history`,
    operationId: 'listPortfolioHistory',
    summary: 'List what the account was worth before, newest first',
    description:
      'Paper unless `paper` is `false`; with `strategy_id` the part of that strategy. The server samples at full intervals (`EQUITY_EVERY`, five minutes by default) and adds a point when something differs from the one before, so between two points the older one holds. It adds none while it is off, or while the source of market data does not answer about a market in which shares are held.',
    query: listQuery({ ...holdingFilters, every }, 'moment'),
    answer: listOut(equityOut),
    answerName: 'EquityPointList',
    problems: ['not-found'],
    async handle({ principal, query }) {
      const asked = pageFrom(query, (key) => new Date(Number(key)));
      const { items, next } = await portfolio.history(
        principal.account,
        holdingFilterOf(query),
        asked,
        query.every === undefined ? null : SPANS_MS[query.every],
      );
      return { status: 200, body: presentPage({ items, next: next?.getTime() ?? null }, presentEquity) };
    },
  });
}
