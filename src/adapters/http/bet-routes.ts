import * as v from 'valibot';
import type { StrategyId, VenueName } from '../../core/ids.js';
import type { BetResult } from '../../core/performance/bet.js';
import type { BetFilter, BetOrder } from '../../core/performance/bet-filter.js';
import type { ResultBy } from '../../core/performance/kept-sums.js';
import type { ResultCursor, ResultRow, YieldInterval } from '../../core/performance/results.js';
import type { ReadBets } from '../../core/usecases/bets/read-bets.js';
import {
  MOST_BETS_MEASURED,
  type PlotQuery,
  type ReadResults,
  type ResultQuery,
} from '../../core/usecases/bets/read-results.js';
import { betFilters, betOut, betWire } from './bet-wire.js';
import { type TradeQuery, tradeFilterOf } from './order-routes.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { coveredOut, plotFilters, plotsOut, plotsWire, resultFilters, resultOut, resultWire } from './result-wire.js';
import { type Route, route } from './route.js';
import { means, members } from './schema.js';

/** What the routes of bets read with. */
export interface BetUseCases {
  readonly readBets: ReadBets;
  readonly readResults: ReadResults;
}

/** Everything about bets: themselves, and what they showed. */
export function betRoutes({ readBets, readResults }: BetUseCases): Route[] {
  return [
    resultsRoute(readResults),
    plotsRoute(readResults),
    route({
      method: 'GET',
      path: '/v1/bets',
      operationId: 'listBets',
      tag: 'bets',
      status: 200,
      scopes: ['orders:read'],
      summary: 'List bets, newest first unless `order` says otherwise',
      description:
        'A bet is what one strategy, or a client, bought and sold of one outcome, from flat to flat, or to the result. In the `profit_usdc` of an open one, what is held counts as what the best bid would pay now, after the fee of the sale, or at cost where that is not known. Open ones are listed where neither `settled_after` nor `settled_before` is given.',
      query: listQuery(betFilters, 'bet'),
      answer: listOut(betOut),
      answerName: 'BetList',
      problems: ['market-not-found', 'market-data-unavailable'],
      async handle({ principal, query }) {
        const page = pageFrom(query, (id) => id);
        const found = await readBets.many(principal.account, filterOf(query), page);
        return { status: 200, body: presentPage(found, betWire) };
      },
    }),
  ];
}

function resultsRoute(readResults: ReadResults): Route {
  return route({
    method: 'GET',
    path: '/v1/results',
    operationId: 'listResults',
    tag: 'bets',
    status: 200,
    scopes: ['orders:read'],
    summary: 'What bets showed, divided by one property',
    description: `A row for each key and venue, on paper unless \`paper=false\`; kinds of money and venues are never added up. Rows come from sums that are kept as bets settle. With \`interval=bootstrap\`, \`strategy_id\`, \`settled_after\` or \`settled_before\` every bet is read, at most the newest ${MOST_BETS_MEASURED}: \`covered\` says how many. Open bets count where neither of the last two is given.`,
    query: listQuery(resultFilters, 'result'),
    answer: resultListOut,
    answerName: 'ResultList',
    problems: [],
    async handle({ principal, query }) {
      const { covered, ...found } = await readResults.execute(
        principal.account,
        resultQueryOf(query),
        pageFrom(query, resultCursorIn),
      );
      const slice = { ...found, next: found.next === null ? null : resultCursorText(found.next) };
      const present = (row: ResultRow) => resultWire(row, query.interval ?? 'normal');
      return { status: 200, body: { ...presentPage(slice, present), covered } };
    },
  });
}

function plotsRoute(readResults: ReadResults): Route {
  return route({
    method: 'GET',
    path: '/v1/results/plots',
    operationId: 'readResultPlots',
    tag: 'bets',
    status: 200,
    scopes: ['orders:read'],
    summary: 'What plots of settled bets are drawn from',
    description: `Profit beside what the close let expect, prices paid beside the close, calibration and slippage: an item for each venue, on paper unless \`paper=false\`. Every settled bet is read, at most the newest ${MOST_BETS_MEASURED}: \`covered\` says how many.`,
    query: members(plotFilters),
    answer: plotListOut,
    answerName: 'ResultPlots',
    problems: [],
    async handle({ principal, query }) {
      const { items, covered } = await readResults.plots(principal.account, plotQueryOf(query));
      return { status: 200, body: { data: items.map(plotsWire), covered } };
    },
  });
}

const plotListOut = v.object({
  data: means(v.array(plotsOut), 'By venue.'),
  covered: means(coveredOut, 'The bets that were read.'),
});

const resultListOut = v.object({
  ...listOut(resultOut).entries,
  covered: means(coveredOut, 'The bets that were measured.'),
});

/** The venue and, where it is known, the key after a slash. */
const resultCursorText = ({ venue, key }: ResultCursor): string => (key === null ? venue : `${venue}/${key}`);

/** Reads back what `resultCursorText` wrote, from the bytes of it. */
function resultCursorIn(bytes: string): ResultCursor {
  const text = Buffer.from(bytes, 'latin1').toString();
  const end = text.indexOf('/');
  return end === -1
    ? { venue: text as VenueName, key: null }
    : { venue: text.slice(0, end) as VenueName, key: text.slice(end + 1) };
}

interface ResultsQuery extends PlotsQuery {
  readonly by?: ResultBy | undefined;
  readonly interval?: YieldInterval | undefined;
}

interface PlotsQuery {
  readonly paper?: boolean | undefined;
  readonly venue?: VenueName | undefined;
  readonly strategy_id?: string | undefined;
  readonly settled_after?: Date | undefined;
  readonly settled_before?: Date | undefined;
}

const resultQueryOf = ({ by = 'strategy', interval = 'normal', ...query }: ResultsQuery): ResultQuery => ({
  by,
  interval,
  ...plotQueryOf(query),
});

const plotQueryOf = ({ paper = true, ...query }: PlotsQuery): PlotQuery => ({
  paper,
  ...settledIn(query),
  ...(query.venue !== undefined && { venue: query.venue }),
  ...(query.strategy_id !== undefined && { strategyId: query.strategy_id as StrategyId }),
});

interface BetQuery extends TradeQuery {
  readonly result?: BetResult | undefined;
  readonly settled_after?: Date | undefined;
  readonly settled_before?: Date | undefined;
  readonly order?: BetOrder | undefined;
}

const filterOf = ({ result, settled_after, settled_before, order, ...query }: BetQuery): BetFilter => ({
  ...tradeFilterOf(query),
  ...(order !== undefined && { order }),
  ...(result !== undefined && { result }),
  ...settledIn({ settled_after, settled_before }),
});

const settledIn = ({ settled_after, settled_before }: Pick<BetQuery, 'settled_after' | 'settled_before'>) => ({
  ...(settled_after !== undefined && { settledAfter: settled_after }),
  ...(settled_before !== undefined && { settledBefore: settled_before }),
});
