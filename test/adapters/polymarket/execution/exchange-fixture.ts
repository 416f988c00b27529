import type { OrderWallet } from '../../../../src/adapters/polymarket/execution/envelope.js';
import { PolymarketExchange } from '../../../../src/adapters/polymarket/execution/polymarket-exchange.js';
import { evidenceIn, type TradeEvidence } from '../../../../src/adapters/polymarket/execution/trade-evidence.js';
import { unsignedIn } from '../../../../src/adapters/polymarket/execution/unsigned-order.js';
import { ClobTrading } from '../../../../src/adapters/polymarket/http/clob-trading.js';
import type { VenueTrade } from '../../../../src/adapters/polymarket/http/trade-wire.js';
import { tradingClient } from '../../../../src/adapters/polymarket/http/trading-client.js';
import { POLYMARKET } from '../../../../src/adapters/polymarket/http/venue-name.js';
import { serverTime } from '../../../../src/adapters/polymarket/http/venue-status.js';
import { EnvironmentSigner } from '../../../../src/adapters/polymarket/signing/signers/index.js';
import type { HttpLimits } from '../../../../src/adapters/transport/http-limits.js';
import { VenueClock } from '../../../../src/adapters/venue/venue-clock.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import { applyEvent } from '../../../../src/core/order/apply.js';
import { intentOf } from '../../../../src/core/order/draft.js';
import type { OrderChange } from '../../../../src/core/order/event.js';
import type { Envelope, Intent } from '../../../../src/core/order/order.js';
import { fillOf, moneyOf, NO_BASIS, type Order, type Refusal, remaining } from '../../../../src/core/order/order.js';
import type { OrderStatusReport, PlaceResult } from '../../../../src/ports/exchange.js';
import {
  ALICE,
  anOrderDraft,
  type DraftChanges,
  newOrderId,
  price,
  shares,
  aMarket as unlisted,
  usdc,
} from '../../../support/builders.js';
import { aMarket } from '../../../support/fake-venue/markets.js';
import { KNOWN_KEY } from '../../../support/fake-venue/plain-client.js';
import { NOON } from '../../../support/fake-venue/trading-day.js';
import { FakeVenue } from '../../../support/fake-venue/venue.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';

/** The market of the stage: no fees, a tick of 0.01. */
export const GAME = aMarket('game');
/** Its first outcome. */
export const [YES] = GAME.tokens;

/** The market as our own records show it. */
export function listed(changes: Partial<Market> = {}): Market {
  const [first, second] = GAME.tokens;
  return unlisted({
    venue: POLYMARKET,
    id: GAME.conditionId as MarketId,
    conditionId: GAME.conditionId,
    outcomes: [
      { label: 'Otters', tokenId: first },
      { label: 'Herons', tokenId: second },
    ],
    terms: {
      tick: price('0.01'),
      minShares: shares('5'),
      minNotional: usdc('1'),
      negRisk: GAME.negRisk,
      fee: { rate: 0n, exponent: 1, takerOnly: true, asOf: new Date(NOON) },
      acceptingOrders: true,
      delaySeconds: 0,
      clearsBookAtStart: false,
      gtdLeadMs: 120_000,
      quoteStep: usdc('0.01'),
    },
    ...changes,
  });
}

/** By default a purchase of 20 shares at 0.50 with real money. */
export function liveIntent(changes: DraftChanges = {}, market = listed(), envelope: Envelope | null = null): Intent {
  return intentOf(anOrderDraft({ paper: false, ...changes }), market, null, { envelope });
}

/** The exchange at a fake venue that knows the wallet and gave it 100 dollars; time passes only when a test advances it. */
export async function aFixture(limits: Partial<HttpLimits> = {}) {
  const time = { now: NOON, skewMs: 0 };
  const venue = await FakeVenue.start({ markets: [GAME], clock: () => time.now });
  venue.fund(KNOWN_ADDRESS, '100');
  const http = tradingClient(venue.clob, { pausesMs: [1, 1], ...limits });
  const clock = { now: () => new Date(time.now + time.skewMs) };
  const halts: Refusal[] = [];
  const waits: number[] = [];
  const ending = new AbortController();
  const alarms: string[] = [];
  const venueClock = new VenueClock({
    clock,
    readSeconds: async () => {
      const result = await serverTime(http);
      return result.kind === 'ok' ? result.value : null;
    },
    reportSkew() {},
  });
  await venueClock.measure();
  const credentials = venue.keyFor(KNOWN_ADDRESS);
  const wallet = { chainId: 137, signatureType: 0, address: KNOWN_ADDRESS } as const;
  const clob = new ClobTrading({ http, clock: venueClock, credentials, ...wallet });
  const restarted = (other: Partial<OrderWallet> = {}) =>
    new PolymarketExchange({
      clob,
      signer: EnvironmentSigner.take({ KEY: KNOWN_KEY }, 'KEY', { ...wallet, notionalCap: usdc('50') }),
      wallet: { ...wallet, ...other },
      apiKey: credentials.apiKey,
      clock,
      venueClock,
      stopwatch: () => time.now,
      alarm: (what) => alarms.push(what),
      ending: ending.signal,
      wait: async (ms) => {
        waits.push(ms);
        time.now += ms;
        await fixture.onWait();
      },
    });
  const exchange = restarted();
  /** An order, recorded and claimed, with its identity. */
  async function order(changes: DraftChanges = {}, market = listed()): Promise<Order> {
    const envelope = exchange.signing.envelope(liveIntent(changes, market), market);
    if ('code' in envelope) throw new Error(refusalText(envelope));
    const begun = step(undefined, { type: 'requested', intent: liveIntent(changes, market, envelope) });
    return step(begun, { type: 'submitting', venueOrderId: await exchange.signing.identify(begun) });
  }
  /** What these trades prove of one of our orders. */
  function evidenceOf(order: Order, trades: readonly VenueTrade[]): TradeEvidence {
    const own = unsignedIn(order);
    if (own === null) throw new Error('it has no envelope');
    return evidenceIn(order, own, trades, (what) => alarms.push(what));
  }
  const fixture = {
    venue,
    time,
    http,
    clob,
    exchange,
    credentials,
    halts,
    alarms,
    waits,
    ending,
    order,
    restarted,
    evidenceOf,
    account: venue.account(KNOWN_ADDRESS),
    measure: () => venueClock.measure(),
    /** Called while an order waits to be sent again. */
    onWait: async () => {},
    async sends(sent: Order): Promise<PlaceResult> {
      const placed = await exchange.place(
        sent,
        () => true,
        async () => true,
      );
      if ('halt' in placed && placed.halt !== undefined) halts.push(placed.halt);
      return placed;
    },
    posts: () => venue.log.statuses('POST /order').length,
    /** Looks the order up this many times, this far apart. */
    async looks(sought: Order, times: number, everyMs: number, at = exchange): Promise<OrderStatusReport> {
      let report: OrderStatusReport = await at.find(sought);
      for (let i = 1; i < times; i++) {
        time.now += everyMs;
        report = await at.find(sought);
      }
      return report;
    },
    async close() {
      await http.close();
      await venue.close();
    },
  };
  return fixture;
}

/** The order with another event applied, by the rules that hold for every recorded order. */
export function step(order: Order | undefined, change: OrderChange): Order {
  const at = new Date(NOON);
  const seq = (order?.seq ?? 0) + 1;
  return applyEvent(order, { orderId: order?.id ?? newOrderId(), account: ALICE, seq, at, hash: `${seq}`, change });
}

/** The order after its report is booked. */
export function booked(order: Order, seen: OrderStatusReport): Order {
  if (seen.kind !== 'accepted') throw new Error(`it is ${seen.kind}`);
  let now = step(order, { type: 'accepted', venueOrderId: seen.venueOrderId, delayed: seen.rest === 'delayed' });
  for (const execution of seen.executions) {
    now = step(now, { type: 'fill', fill: fillOf(execution, moneyOf(now, execution), NO_BASIS) });
  }
  if (seen.rest !== 'cancelled' || remaining(now) === 0n) return now;
  return step(now, { type: 'cancelled', reason: 'the rest' });
}

export const unknownNow = (order: Order): Order =>
  step(order, { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'Not known.' } });

const refusalText = ({ code, message }: Refusal): string => `${code}: ${message}`;
