import type { Usdc } from '../../../core/money.js';
import { VenueUnusable } from '../../../core/venues/venues.js';
import type { ConnectParts, VenueConnection } from '../../../ports/venue-adapter.js';
import type { HttpLimits } from '../../transport/http-limits.js';
import type { NoAnswer } from '../../transport/result.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import type { RequestSigner } from '../http/api-key.js';
import { KalshiClient } from '../http/kalshi-client.js';
import type { KalshiEnvironment } from '../venue-name.js';
import { KalshiExchange } from './kalshi-exchange.js';
import { KalshiUserStream } from './kalshi-user-stream.js';

/** The venue's addresses, and the account that orders are placed for. */
export interface KalshiConnectOptions extends Omit<ConnectParts, 'cancelsOnly'> {
  readonly api: URL;
  readonly socket: URL;
  readonly environment: KalshiEnvironment;
  readonly signer: RequestSigner;
  /** The most that one order may be worth. */
  readonly orderCap: Usdc;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly userLimits?: Partial<WebSocketLimits>;
}

const LATER = 'Check the network and the address, and start again.';

/**
 * Connects to the venue: measures its clock before anything is signed, checks that it takes the key, and keeps to what it allows the account.
 * @throws VenueUnusable when it cannot be traded with; every connection is closed by then
 */
export async function connectKalshi(options: KalshiConnectOptions): Promise<VenueConnection> {
  const { api, signer, clock, report, limits } = options;
  const client = new KalshiClient({ api, signer, clock, limits, report });
  try {
    if (!(await client.venueClock.measure())) throw unreachable(null, api.origin);
    const balance = await client.balance();
    if (balance.kind === 'no_answer') throw refusedBy(balance, options);
    const limits = await client.keepLimits();
    if (limits.kind === 'no_answer') report(`the venue does not tell what it allows the account (${limits.reason})`);
    return connected(options, client);
  } catch (error) {
    await client.close();
    throw error;
  }
}

function connected(options: KalshiConnectOptions, client: KalshiClient): VenueConnection {
  const { environment, signer, orderCap, socket, clock, stopwatch, alarm, report, userLimits = {} } = options;
  const ending = new AbortController();
  const exchange = new KalshiExchange({
    client,
    clock,
    stopwatch,
    environment,
    orderCap,
    alarm,
    ending: ending.signal,
  });
  const now = () => clock.now().getTime() + client.venueClock.offsetMs;
  const streams: KalshiUserStream[] = [];
  return {
    exchange,
    // Results pay cash, and nothing has to be claimed.
    redemption: null,
    cancelAll: () => cancelAll(client),
    clockOffMs: () => client.venueClock.offsetMs,
    measureClock: () => client.venueClock.measure(),
    listen: (listener) => {
      if (ending.signal.aborted) return;
      const find = exchange.find.bind(exchange);
      streams.push(new KalshiUserStream({ socket, signer, now, limits: userLimits }, { listener, find, report }));
    },
    close: async () => {
      ending.abort();
      await Promise.all(streams.map((stream) => stream.close()));
      await client.drain();
    },
  };
}

/**
 * Cancels every resting order one by one. The venue's own call for all of them also ends orders that are placed within a minute after it
 * (K22).
 */
async function cancelAll(client: KalshiClient) {
  const resting = await client.orders({ status: 'resting' });
  if (resting.kind === 'no_answer' || !resting.complete) return null;
  const kept = new Map<string, string>();
  let [cancelled, gone] = [0, 0];
  for (const { orderId, ticker } of resting.items) {
    const answer = await client.cancel(orderId, ticker);
    if (answer.kind === 'cancelled') cancelled += 1;
    else if (answer.kind === 'gone') gone += 1;
    else kept.set(orderId, answer.said === '' ? answer.reason : answer.said);
  }
  return { cancelled, gone, kept };
}

function refusedBy(answer: NoAnswer, { api, environment }: KalshiConnectOptions): VenueUnusable {
  const { status, said } = answer;
  if (status !== 401 && status !== 403) return unreachable(answer, api.origin);
  const other = environment === 'demo' ? 'production' : 'demo';
  return new VenueUnusable(
    'credentials_refused',
    `The venue's ${environment} does not take the key${said === '' ? '' : ` (${said})`}. A key of the ${other} does not work there: check KALSHI_ENV, KALSHI_KEY_ID and the key file. The clock may also be wrong.`,
    false,
  );
}

function unreachable(answer: NoAnswer | null, origin: string): VenueUnusable {
  const how = answer === null ? '' : ` (${answer.reason}${answer.status === null ? '' : `, status ${answer.status}`})`;
  return new VenueUnusable(
    'venue_unreachable',
    `The venue at ${origin} does not answer as expected${how}. ${LATER}`,
    true,
  );
}
