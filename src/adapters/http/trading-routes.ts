import * as v from 'valibot';
import type { ReadAlarms } from '../../core/usecases/alarms/read-alarms.js';
import type { ReadTrading } from '../../core/usecases/trading/read-trading.js';
import type { SetTradingState } from '../../core/usecases/trading/set-trading-state.js';
import { alarmsOut, presentAlarms } from './alarm-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { RESTRAINED, type Route, route } from './route.js';
import { means } from './schema.js';
import {
  presentTradingSet,
  presentTradingState,
  tradingBody,
  tradingNowOut,
  tradingSetOut,
  tradingStateOut,
} from './trading-wire.js';

/** The use cases behind `/v1/trading`. */
export interface TradingUseCases {
  readonly set: SetTradingState;
  readonly read: ReadTrading;
}

const STATE = '/v1/trading/state';

/** Everything under `/v1/trading`. */
export function tradingRoutes({ set, read }: TradingUseCases): Route[] {
  return [setting(set), reading(read), history(read)];
}

function setting(set: SetTradingState): Route {
  return route({
    method: 'POST',
    path: STATE,
    operationId: 'setTradingState',
    tag: 'trading',
    status: 200,
    scopes: ['orders:cancel', 'risk:write', 'admin'],
    summary: 'Halt trading, let through only what lowers a worst case, or let it go on',
    description:
      'Of several states that are about an order, the strictest counts. A state takes the place of what was set before for the same `scope` and the same orders, or fewer. Halting and tightening need `orders:cancel`; loosening and resuming need `risk:write`; `service` and `sport:<name>` need `admin`, and so does releasing a halt of a venue, of a contradiction or of an operator. Cancellations always pass.',
    body: tradingBody,
    answer: tradingSetOut,
    answerName: 'TradingSet',
    problems: ['not-found', 'market-data-unavailable', ...RESTRAINED],
    async handle({ principal, body, idempotencyKey }) {
      const { scope, state, reason, until = null, stops = 'all', cancel = false } = body;
      const { account, credential: by, scopes: may, restraint } = principal;
      const change = { scope, state, stops, reason, by, until };
      const { record, replayed } = await set.execute({ account, change, cancel, may, restraint, idempotencyKey });
      return { status: 200, body: presentTradingSet(record), replayed };
    },
  });
}

function reading(read: ReadTrading): Route {
  return route({
    method: 'GET',
    path: STATE,
    operationId: 'getTradingState',
    tag: 'trading',
    status: 200,
    scopes: ['orders:read'],
    summary: 'Tell what stops the orders of the account now',
    description:
      'Of several states that are about an order, the strictest counts; each says who set it, why, and when it ends.',
    answer: tradingNowOut,
    answerName: 'TradingNow',
    problems: [],
    async handle({ principal }) {
      const { liveEnabled, effective, states } = await read.now(principal.account);
      return { status: 200, body: { live_enabled: liveEnabled, effective, data: states.map(presentTradingState) } };
    },
  });
}

const whose = v.picklist(['account', 'service'], 'must be account or service');

function history(read: ReadTrading): Route {
  return route({
    method: 'GET',
    path: '/v1/trading/history',
    operationId: 'listTradingStates',
    tag: 'trading',
    status: 200,
    scopes: ['orders:read'],
    summary: 'List every state that was set, newest first',
    description: 'A state that ended by itself is not listed again: `until` says when. It is kept for ever.',
    query: listQuery(
      { of: v.optional(means(whose, 'By default of the `account`; `service`: of what holds for every account.')) },
      'place',
    ),
    answer: listOut(tradingStateOut),
    answerName: 'TradingHistory',
    problems: [],
    async handle({ principal, query }) {
      const page = await read.history(query.of === 'service' ? 'service' : principal.account, pageFrom(query, Number));
      return { status: 200, body: presentPage(page, ({ state }) => presentTradingState(state)) };
    },
  });
}

/** Everything under `/v1/alarms`. */
export function alarmRoutes(readAlarms: ReadAlarms): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/alarms',
      operationId: 'listAlarms',
      tag: 'alarms',
      status: 200,
      scopes: ['orders:read'],
      summary: 'List what is wrong now, the oldest first',
      description:
        'Of the account, and for a credential with `admin` also of the whole service. Each is raised once and cleared once: the events `alarm.raised` and `alarm.cleared`.',
      answer: alarmsOut,
      answerName: 'Alarms',
      problems: [],
      async handle({ principal }) {
        const { account, scopes } = principal;
        return { status: 200, body: presentAlarms(await readAlarms.execute(account, scopes.has('admin'))) };
      },
    }),
  ];
}
