import type { VenueName } from '../../src/core/ids.js';
import { ED25519_KEY, keyFileOf } from '../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../support/fake-kalshi/venue.js';
import { breachesOf, type OwnRecord } from '../support/fake-venue/log.js';
import { remaining } from '../support/fake-venue/orders.js';
import type { FakeVenue } from '../support/fake-venue/venue.js';
import { DEPOSIT, enrol, PEPPER } from '../support/live-deployment.js';
import { type LiveServer, listedMarket, startDeployed } from '../support/live-server.js';

/** What the tests of killed servers ask of the stand-in of a venue. */
export interface CrashVenue {
  /** The bodies of the requests to place orders, in the order of arrival, as far as they have come. */
  bodies(): readonly string[];
  /** The next order is taken, and its answer waits until it is released. */
  holdAnswer(): { readonly arrived: Promise<void>; release(): void };
  /** The name that an order was sent under, from the one that its record shows. */
  identityOf(shown: string): string;
  /** What is there of the order that was sent under this name; null where none is. */
  standing(identity: string): { readonly status: string; readonly rests: boolean } | null;
  /** What differs from these records: other orders or fills, and what was sent more often than the venue's rules allow. */
  breaches(records: readonly OwnRecord[]): readonly string[];
  close(): Promise<void>;
}

/** One order that rests, one that fills, and one that the venue cannot fill and therefore refuses: how long each is in force. */
export const IN_FORCE = { rests: 'GTC', fills: 'FAK', cannot: 'FOK' } as const;

/** The name of an order of the basket; its idempotency key too. */
export type Kind = keyof typeof IN_FORCE;
export const KINDS = Object.keys(IN_FORCE) as Kind[];

/** The orders by their names, as clients send them. */
export type Basket = ReturnType<typeof basketOf>;

/** Of a market that sells twenty of the first outcome at one half. Where outcomes net, all of them are of that one. */
function basketOf(market: string, others: 'YES' | 'NO') {
  const live = { market_id: market, paper: false, size_usdc: 10 };
  return {
    rests: { ...live, token: others, price: 0.4, time_in_force: IN_FORCE.rests },
    fills: { ...live, token: 'YES', price: 0.5, time_in_force: IN_FORCE.fills },
    cannot: { ...live, token: others, price: 0.45, time_in_force: IN_FORCE.cannot },
  };
}

export const RAIN = listedMarket('rain');
export const POLYMARKET_BASKET = basketOf(RAIN.conditionId, 'NO');
/** The markets of the game at Kalshi. */
export const OTHER_TICKER = 'KXNFLGAME-27JAN16OTTBAD-OTT';
export const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
export const KALSHI_BASKET = basketOf(TICKER, 'YES');

/** Polymarket takes the hash of an order once, and a second copy of it is a fault of ours. */
export const asPolymarket = (venue: FakeVenue): CrashVenue => {
  const bodies = () =>
    venue.log.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /order').map(({ body }) => body);
  const times = (hash: string) =>
    Object.values(venue.log.posts(hash)).reduce((sum: number, count: number) => sum + count, 0);
  return {
    bodies,
    holdAnswer: () => venue.hold('POST /order', 'answer'),
    identityOf: (shown) => shown,
    standing: (hash) => {
      const order = venue.state.engine.orders.get(hash);
      return order === undefined
        ? null
        : { status: order.status, rests: order.status === 'LIVE' && remaining(order) > 0n };
    },
    breaches: (records) => [
      ...venue.breaches(records),
      ...tooMany(bodies().length, records),
      ...records.flatMap(({ id, hashes }) =>
        hashes.filter((hash) => times(hash) > 1).map((hash) => `${id} was sent ${times(hash)} times`),
      ),
    ],
    close: () => venue.close(),
  };
};

/** Kalshi takes a client's id once, and refuses later copies of it: they do no harm, and what counts is how many ids there are. */
const asKalshi = (venue: FakeKalshi): CrashVenue => {
  const bodies = () => venue.placed.map(({ body }) => body);
  const orders = () => venue.account.orders;
  const of = (identity: string) => orders().find(({ clientId }) => clientId === identity);
  return {
    bodies,
    holdAnswer: () => venue.writes.hold('answer'),
    identityOf: (shown) => orders().find(({ orderId }) => orderId === shown)?.clientId ?? shown,
    standing: (identity) => {
      const order = of(identity);
      return order === undefined ? null : { status: order.status, rests: order.status === 'resting' };
    },
    breaches: (records) => [
      ...breachesOf(
        records,
        new Set(orders().map(({ clientId }) => clientId)),
        (identity) => 10_000n * (of(identity)?.filled ?? 0n),
      ),
      ...tooMany(new Set(bodies()).size, records),
    ],
    close: () => venue.stop(),
  };
};

const tooMany = (sent: number, records: readonly OwnRecord[]) =>
  sent > records.length ? [`${sent} were sent for ${records.length} orders`] : [];

/** A server that trades the play money of Kalshi's demo, where twenty of the first outcome are offered at one half. */
export async function startAtKalshi(
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly venue: FakeKalshi; readonly stand: CrashVenue; readonly server: LiveServer }> {
  const venue = await FakeKalshi.start();
  venue.account.cash = DEPOSIT.micro;
  venue.account.liquidity.set(TICKER, { bids: [], asks: [['0.5000', '20.00']] });
  venue.books.set(TICKER, { yes: [], no: [['0.5000', '20.00']] });
  const key = await enrol(databaseUrl, 'kalshi_demo' as VenueName);
  const deployed = {
    DATABASE_URL: databaseUrl,
    AUTH_MODE: 'keys',
    KEY_PEPPER: PEPPER,
    EQUITY_EVERY: 'off',
    MARKET_DATA: 'kalshi',
    LIVE_TRADING: 'on',
    KALSHI_KEY_ID: ED25519_KEY.id,
    KALSHI_PRIVATE_KEY_FILE: keyFileOf(ED25519_KEY),
    KALSHI_API_URL: venue.api.href,
    KALSHI_WS_URL: venue.socket.href,
  };
  return { venue, stand: asKalshi(venue), server: await startDeployed({ ...deployed, ...env }, key) };
}
