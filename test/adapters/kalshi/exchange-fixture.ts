import { KalshiExchange } from '../../../src/adapters/kalshi/execution/kalshi-exchange.js';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiClient, type KalshiClientOptions } from '../../../src/adapters/kalshi/http/kalshi-client.js';
import type { KalshiEnvironment } from '../../../src/adapters/kalshi/venue-name.js';
import { KALSHI_DEMO } from '../../../src/adapters/kalshi/venue-name.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { applyEvent } from '../../../src/core/order/apply.js';
import { intentOf } from '../../../src/core/order/draft.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import type { Envelope, Order } from '../../../src/core/order/order.js';
import {
  ALICE,
  aMarket,
  anOrderDraft,
  type DraftChanges,
  newOrderId,
  price,
  shares,
  usdc,
} from '../../support/builders.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';

export const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
/** No request waits for its turn. */
const MANY = [{ prefix: '', points: 1000, seconds: 1 }];
const PLENTY = { order: MANY, cancel: MANY, read: MANY };
const NOON = Date.parse('2027-01-10T12:00:00.000Z');

/** The market of the stand-in as our own records show it. */
export const listedAtKalshi = (): Market =>
  aMarket({
    venue: KALSHI_DEMO,
    id: TICKER as MarketId,
    conditionId: null,
    outcomes: [
      { label: 'Badgers', tokenId: `${TICKER}:YES` },
      { label: 'Not Badgers', tokenId: `${TICKER}:NO` },
    ],
    terms: {
      tick: price('0.01'),
      minShares: shares('0.01'),
      minNotional: usdc('0'),
      negRisk: true,
      fee: { rate: 70_000n, exponent: 1, takerOnly: true, asOf: new Date(NOON) },
      acceptingOrders: true,
      delaySeconds: 0,
      clearsBookAtStart: false,
      netsOutcomes: true,
    },
  });

/** The order after this event. */
export function after(order: Order | undefined, change: OrderChange, at: Date): Order {
  const seq = (order?.seq ?? 0) + 1;
  return applyEvent(order, { orderId: order?.id ?? newOrderId(), account: ALICE, seq, at, hash: `${seq}`, change });
}

/** The exchange at a stand-in with 100 dollars; time passes only when a test, or a wait of the exchange, advances it. */
export async function atKalshi({ allowances = PLENTY }: Pick<KalshiClientOptions, 'allowances'> = {}) {
  const venue = await FakeKalshi.start();
  const time = { now: NOON };
  venue.now = () => time.now;
  venue.account.liquidity.set(TICKER, {
    bids: [['0.47', '3.00']],
    asks: [
      ['0.52', '30.00'],
      ['0.53', '30.00'],
    ],
  });
  const clock = { now: () => new Date(time.now) };
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY));
  const limits = { pausesMs: [1, 1] };
  const client = new KalshiClient({ api: venue.api, signer, clock, limits, allowances, report: () => {} });
  const ending = new AbortController();
  const [alarms, waits]: [string[], number[]] = [[], []];
  const opened = (environment: KalshiEnvironment = 'demo') =>
    new KalshiExchange({
      client,
      clock,
      stopwatch: () => time.now,
      environment,
      orderCap: usdc('500'),
      ending: ending.signal,
      alarm: (what) => alarms.push(what),
      wait: async (ms) => {
        waits.push(ms);
        time.now += ms;
      },
    });
  const exchange = opened();
  /** An order, recorded and claimed, with its identity. By default a purchase of 20 YES at 0.52. */
  async function order(changes: DraftChanges = {}): Promise<Order> {
    const market = listedAtKalshi();
    const draft = anOrderDraft({ paper: false, price: price('0.52'), size: usdc('10.40'), ...changes });
    const intent = (envelope: Envelope | null) => intentOf(draft, market, null, { envelope });
    const envelope = exchange.signing.envelope(intent(null), market);
    if ('code' in envelope) throw new Error(envelope.message);
    const begun = after(undefined, { type: 'requested', intent: intent(envelope) }, clock.now());
    const venueOrderId = await exchange.signing.identify(begun);
    return after(begun, { type: 'submitting', venueOrderId }, clock.now());
  }
  const place = (placed: Order, maySend = () => true) => exchange.place(placed, maySend, async () => true);
  const close = async () => {
    ending.abort();
    await client.close();
    await venue.stop();
  };
  return {
    venue,
    account: venue.account,
    time,
    clock,
    signer,
    client,
    exchange,
    opened,
    order,
    place,
    alarms,
    waits,
    ending,
    close,
  };
}
