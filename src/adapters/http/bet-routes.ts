import type { BetResult } from '../../core/performance/bet.js';
import type { BetFilter } from '../../core/performance/bet-filter.js';
import type { ReadBets } from '../../core/usecases/bets/read-bets.js';
import { betFilters, betOut, betWire } from './bet-wire.js';
import { type TradeQuery, tradeFilterOf } from './order-routes.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { type Route, route } from './route.js';

/** Everything under `/v1/bets`. */
export function betRoutes(readBets: ReadBets): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/bets',
      operationId: 'listBets',
      tag: 'bets',
      status: 200,
      scopes: ['orders:read'],
      summary: 'List bets, newest first',
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

interface BetQuery extends TradeQuery {
  readonly result?: BetResult | undefined;
  readonly settled_after?: Date | undefined;
  readonly settled_before?: Date | undefined;
}

const filterOf = ({ result, settled_after, settled_before, ...query }: BetQuery): BetFilter => ({
  ...tradeFilterOf(query),
  ...(result !== undefined && { result }),
  ...(settled_after !== undefined && { settledAfter: settled_after }),
  ...(settled_before !== undefined && { settledBefore: settled_before }),
});
