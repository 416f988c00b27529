import type { ReadPortfolio } from '../../core/usecases/accounts/read-portfolio.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import {
  equityOut,
  holdingFilterOf,
  holdingFilters,
  portfolioOut,
  presentEquity,
  presentPortfolio,
} from './portfolio-wire.js';
import { type Route, route } from './route.js';
import { members } from './schema.js';

const NOW = '/v1/portfolio';
const common = { method: 'GET', tag: 'portfolio', status: 200, scopes: ['orders:read'] } as const;

/** Everything under `/v1/portfolio`. */
export function portfolioRoutes(portfolio: ReadPortfolio): Route[] {
  return [now(portfolio), history(portfolio)];
}

function now(portfolio: ReadPortfolio): Route {
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
      return { status: 200, body: presentPortfolio(await portfolio.now(principal.account, holdingFilterOf(query))) };
    },
  });
}

function history(portfolio: ReadPortfolio): Route {
  return route({
    ...common,
    path: `${NOW}/history`,
    operationId: 'listPortfolioHistory',
    summary: 'List what the account was worth before, newest first',
    description:
      'Paper unless `paper` is `false`; with `strategy_id` the part of that strategy. The server samples at full intervals (`EQUITY_EVERY`, five minutes by default) and adds a point when something differs from the one before, so between two points the older one holds. It adds none while it is off, or while the source of market data does not answer about a market in which shares are held.',
    query: listQuery(holdingFilters, 'moment'),
    answer: listOut(equityOut),
    answerName: 'EquityPointList',
    problems: ['not-found'],
    async handle({ principal, query }) {
      const asked = pageFrom(query, (key) => new Date(Number(key)));
      const { items, next } = await portfolio.history(principal.account, holdingFilterOf(query), asked);
      return { status: 200, body: presentPage({ items, next: next?.getTime() ?? null }, presentEquity) };
    },
  });
}
