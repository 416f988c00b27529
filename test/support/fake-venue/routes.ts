import type { ApiKey } from './auth.js';
import { HOURS } from './faults.js';
import type { Asked } from './http.js';
import { readOrder } from './intake.js';
import type { Market } from './markets.js';
import { orderRow, type VenueOrder } from './orders.js';
import { REFUSALS, Refused } from './refusals.js';
import type { VenueState } from './state.js';
import { concerns, tradeRow, type VenueTrade } from './trades.js';
import { decimal, type Json, pageOf, sum } from './wire.js';

/** The input of a route. */
interface Context {
  readonly state: VenueState;
  readonly query: URLSearchParams;
  /** The last part of the path. */
  readonly name: string;
  readonly asked: Asked;
}

type Open = (context: Context) => unknown;
type Keyed = (context: Context, key: ApiKey) => unknown;

const MOST_ORDERS = 15;
const BASE_FEE = 1000;

/** Without authentication; a path that ends in a slash takes a name. */
const OPEN: Readonly<Record<string, Open>> = {
  'GET /': () => 'OK',
  'GET /ok': () => 'OK',
  'GET /time': ({ state }) => Math.floor(state.now() / 1000),
  'GET /version': ({ state }) => ({ version: state.version }),
  'GET /api/geoblock': ({ state }) => state.geoblock,
  'GET /tick-size': (context) => ({ minimum_tick_size: Number(decimal(byToken(context).tick)) }),
  'GET /neg-risk': (context) => ({ neg_risk: byToken(context).terms.negRisk }),
  'GET /fee-rate': (context) => ({ base_fee: byToken(context).terms.feeRate === '0' ? 0 : BASE_FEE }),
  'GET /book': (context) => byToken(context).summary(context.query.get('token_id') ?? '', context.state.now()),
  'GET /clob-markets/': (context) => byCondition(context).compact(),
  'GET /markets/': (context) => byCondition(context).full(),
  'GET /markets-by-token/': ({ state, name }) => {
    const market = state.market(name);
    if (market === undefined) throw REFUSALS.noMarket();
    const [primary_token_id, secondary_token_id] = market.terms.tokens;
    return { condition_id: market.conditionId, primary_token_id, secondary_token_id };
  },
  'POST /auth/api-key': async ({ state, asked }) => {
    const { address, nonce } = await state.keys.login(asked.headers);
    if (state.keys.find(address, nonce) !== undefined) throw new Refused(400, 'Could not create api key');
    return shown(state.keys.create(address, nonce));
  },
  'GET /auth/derive-api-key': async ({ state, asked }) => {
    const { address, nonce } = await state.keys.login(asked.headers);
    const key = state.keys.find(address, nonce);
    if (key === undefined) throw new Refused(400, 'Could not derive api key!');
    return shown(key);
  },
};

/** With an API key. */
const KEYED: Readonly<Record<string, Keyed>> = {
  'GET /auth/api-keys': ({ state }, { address }) => ({ apiKeys: state.keys.of(address).map(({ apiKey }) => apiKey) }),
  'DELETE /auth/api-key': ({ state }, key) => {
    state.keys.revoke(key);
    return 'OK';
  },
  'GET /auth/ban-status/closed-only': ({ state }, { address }) => ({
    closed_only: state.engine.accounts.of(address).closedOnly,
  }),
  'GET /balance-allowance': ({ state, query }, key) => state.balance(key, query),
  'GET /balance-allowance/update': () => undefined,
  'POST /v1/heartbeats': ({ state, asked }, key) => state.beat(key, (json(asked) as Json)['heartbeat_id']),
  'POST /order': async ({ state, asked }, key) => place(state, json(asked), key, asked.body.toString()),
  'POST /orders': async ({ state, asked }, key) => {
    const legs = json(asked);
    if (!Array.isArray(legs)) throw REFUSALS.payload();
    if (legs.length > MOST_ORDERS) throw REFUSALS.tooMany(legs.length, MOST_ORDERS);
    const answers: unknown[] = [];
    for (const leg of legs) answers.push(await place(state, leg, key, asked.body.toString()).catch(legRefused));
    return answers;
  },
  'DELETE /order': ({ state, asked }, key) => cancelled(state, key, [String((json(asked) as Json)['orderID'])]),
  'DELETE /orders': ({ state, asked }, key) => cancelled(state, key, json(asked) as readonly string[]),
  'DELETE /cancel-all': ({ state }, key) => cancelled(state, key, openOf(state, key).map(hashOf)),
  'DELETE /cancel-market-orders': ({ state, asked }, key) => {
    const { market, asset_id } = json(asked) as { market?: string; asset_id?: string };
    const meant = openOf(state, key).filter(
      (order) => (!market || order.market.conditionId === market) && (!asset_id || order.token === asset_id),
    );
    return cancelled(state, key, meant.map(hashOf));
  },
  'GET /data/order/': ({ state, name }, { apiKey }) => {
    const order = state.engine.orders.get(name);
    const { remembersEnded, missing } = state.reads;
    const seen = order?.owner === apiKey && (remembersEnded || state.engine.open.includes(order));
    if (!seen && missing === '404') throw REFUSALS.noOrder();
    return seen && order !== undefined ? orderRow(order) : null;
  },
  'GET /data/orders': ({ state, query }, { apiKey }) => {
    const { reads, engine } = state;
    const id = query.get('id');
    const all = id !== null && reads.listsEndedById ? [...engine.orders.values()] : engine.open;
    const rows = all.filter(({ owner }) => owner === apiKey).map(orderRow);
    const found = rows.filter((row) => fits(row, query, ['id', 'market', 'asset_id']));
    return pageOf(found, query.get('next_cursor'), reads.pageSize);
  },
  'GET /data/trades': ({ state, query }, { apiKey }) => {
    const rows = state.engine.trades
      .filter((trade) => concerns(trade, apiKey) && isWithin(trade, query) && hasMaker(trade, query))
      .map((trade) => tradeRow(trade, apiKey))
      .filter((row) => fits(row, query, ['id', 'market', 'asset_id']));
    return pageOf(rows.reverse(), query.get('next_cursor'), state.reads.pageSize);
  },
};

const PLACING = /^POST \/orders?$/;
const TRADING = /^(POST|DELETE) \/(orders?|cancel-all|cancel-market-orders)$/;

/** The venue's answer; throws its refusals. */
export async function route(state: VenueState, asked: Asked): Promise<unknown> {
  const { method, url, headers, body } = asked;
  const exact = `${method} ${url.pathname}`;
  const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  const named = `${exact.slice(0, exact.lastIndexOf('/'))}/`;
  const path = exact in OPEN || exact in KEYED ? exact : named;
  const context = { state, query: url.searchParams, name, asked };
  if (OPEN[path] !== undefined) return OPEN[path](context);
  const keyed = KEYED[path];
  if (keyed === undefined) throw new Refused(404, 'not found');
  if (PLACING.test(path) && state.geoblock.blocked) throw REFUSALS.region();
  refuseOutOfHours(state, path, body);
  const key = state.keys.verified(headers, method, url.pathname, body);
  state.engine.sweep();
  return keyed(context, key);
}

/** The engine's bad hours come before any other reason for refusing an order. */
function refuseOutOfHours({ hours }: VenueState, path: string, body: Buffer): void {
  if (hours === 'normal' || !TRADING.test(path)) return;
  if (hours !== 'restarting' && !PLACING.test(path)) return;
  if (hours === 'post-only' && /"postOnly":true/.test(body.toString())) return;
  throw HOURS[hours]();
}

async function place(state: VenueState, payload: unknown, key: ApiKey, raw: string): Promise<Json> {
  const order = await readOrder(payload, key, state);
  const trades = state.engine.place(order, raw);
  const shares = sum(trades.map(({ size }) => size));
  const dollars = sum(trades.map(({ cost }) => cost));
  const none = order.status === 'DELAYED' ? '0' : '';
  const [making, taking] = order.side === 'BUY' ? [dollars, shares] : [shares, dollars];
  const hashes = trades.map(({ transaction }) => transaction).filter((hash) => hash !== '');
  return {
    success: true,
    errorMsg: '',
    orderID: order.hash,
    status: order.status === 'DELAYED' ? 'delayed' : trades.length > 0 ? 'matched' : 'live',
    makingAmount: trades.length === 0 ? none : decimal(making),
    takingAmount: trades.length === 0 ? none : decimal(taking),
    ...(hashes.length > 0 ? { transactionsHashes: hashes } : {}),
    ...(trades.length > 0 ? { tradeIDs: trades.map(({ id }) => id) } : {}),
  };
}

function legRefused(error: unknown): Json {
  if (!(error instanceof Refused)) throw error;
  return { success: true, errorMsg: error.message, orderID: '', status: '' };
}

function cancelled({ engine }: VenueState, { apiKey }: ApiKey, hashes: readonly string[]): Json {
  const reasons = hashes.map((hash) => [hash, engine.cancel(hash, apiKey)] as const);
  return {
    canceled: reasons.filter(([, reason]) => reason === null).map(([hash]) => hash),
    not_canceled: Object.fromEntries(reasons.filter(([, reason]) => reason !== null)),
  };
}

const hashOf = ({ hash }: VenueOrder): string => hash;
const shown = ({ apiKey, secret, passphrase }: ApiKey): Json => ({ apiKey, secret, passphrase });

function openOf({ engine }: VenueState, { apiKey }: ApiKey): VenueOrder[] {
  return engine.open.filter(({ owner, status }) => owner === apiKey && status === 'LIVE');
}

function json({ body }: Asked): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw REFUSALS.payload();
  }
}

function fits(row: Json, query: URLSearchParams, names: readonly string[]): boolean {
  return names.every((name) => query.get(name) === null || row[name] === query.get(name));
}

function isWithin({ matchedAt }: VenueTrade, query: URLSearchParams): boolean {
  const [after, before] = [query.get('after'), query.get('before')];
  const second = Math.floor(matchedAt / 1000);
  return (after === null || second > Number(after)) && (before === null || second < Number(before));
}

function hasMaker({ taker, makers }: VenueTrade, query: URLSearchParams): boolean {
  const wanted = query.get('maker_address')?.toLowerCase();
  return wanted === undefined || taker.maker === wanted || makers.some(({ order }) => order.maker === wanted);
}

function byToken({ state, query }: Context): Market {
  const market = state.market(query.get('token_id') ?? '');
  if (market === undefined) throw REFUSALS.noBook();
  return market;
}

function byCondition({ state, name }: Context): Market {
  const market = state.markets.get(name);
  if (market === undefined) throw REFUSALS.noMarket();
  return market;
}
