import { ClobTrading } from '../../../../src/adapters/polymarket/http/clob-trading.js';
import { type TradingClient, tradingClient } from '../../../../src/adapters/polymarket/http/trading-client.js';
import { VenueClock } from '../../../../src/adapters/venue/venue-clock.js';
import type { Arrived, Loopback, Reply, Script } from '../../transport/loopback.js';

export const HASH = `0x${'ab'.repeat(32)}` as const;
export const TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const CREDENTIALS = { apiKey: 'k-1', secret: 'c2VjcmV0LXNlY3JldA==', passphrase: 'p-1' };
export const NOW = new Date('2027-01-10T12:00:00Z');

/** A venue that answers as scripted, half a minute ahead of us, and the client under test. */
export async function aClob(here: Loopback): Promise<{ venue: Script; http: TradingClient; clob: ClobTrading }> {
  const venue = await here.script('{}');
  const http = tradingClient(venue.url, { overallMs: 10_000 });
  here.onEnd(() => http.close());
  const clock = new VenueClock({
    clock: { now: () => NOW },
    readSeconds: async () => NOW.getTime() / 1000 + 30,
    reportSkew() {},
  });
  await clock.measure();
  const clob = new ClobTrading({ http, clock, credentials: CREDENTIALS, address: ADDRESS, signatureType: 2 });
  return { venue, http, clob };
}

/** The last request to the venue. */
export function lastAsked({ requests }: Script): Arrived {
  const last = requests.at(-1);
  if (last === undefined) throw new Error('nothing was asked');
  return last;
}

export const refused = (status: number): Reply => ({ status, body: '{"error":"no such thing"}' });

/** An order that rests at the venue, a quarter of it filled, as the venue shows it. */
export const anOrder = (changes: object = {}) => ({
  id: HASH,
  status: 'LIVE',
  market: '0xc0',
  asset_id: TOKEN,
  side: 'BUY',
  price: '0.5000',
  original_size: '100.0000',
  size_matched: '25.0000',
  order_type: 'GTC',
  associate_trades: null,
  ...changes,
});
