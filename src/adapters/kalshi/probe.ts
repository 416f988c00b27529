import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { rateOf } from '../../core/market/fee.js';
import type { Market } from '../../core/market/market.js';
import { formatMicro, minus, type Price } from '../../core/money.js';
import type { Clock } from '../../ports/system.js';
import type { ProbeAnswer } from '../../ports/venue-adapter.js';
import { HttpClient } from '../transport/http-client.js';
import type { NoAnswer } from '../transport/result.js';
import { API_PATH, accessHeaders, type RequestSigner } from './http/api-key.js';
import type { CreateOutcome } from './http/create-outcomes.js';
import { priceText } from './http/fixed-point.js';
import { KalshiClient } from './http/kalshi-client.js';
import { KalshiRest } from './market-data/kalshi-rest.js';
import type { KalshiSettings } from './settings.js';
import { kalshiVenue } from './venue-name.js';
import { type KalshiFrame, KalshiSocket } from './websocket/kalshi-socket.js';

const CENT = 10_000n as Price;
/** On no grid of the venue. */
const OFF_GRID = 10_100n as Price;
const MACHINE: Clock = { now: () => new Date() };
/** How long a message, or what was written, is waited for. */
const HEARD_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 250;
const MARKETS_SEEN = 50;
/** Seconds by which requests are dated wrong, to find which the venue still takes. */
const CLOCKS = [5, 10, 20, 30, 60];
const READS = { read: [{ prefix: '', points: 5, seconds: 1 }] };
const NOT_ASKED = 'not asked';

/** An order of the probe, as the venue is sent it. */
interface Body {
  readonly ticker: string;
  readonly id: string;
  readonly price: Price;
  readonly count?: string;
  readonly timeInForce?: string;
}

/**
 * Asks the venue what `kalshi.md` 13 leaves open, with orders of a cent that rest below every offer, and one of a hundredth of a contract that
 * fills. What rests is cancelled at the end. Questions that no order of ours can answer are answered so. For the demo alone.
 */
export async function* probeKalshi(settings: KalshiSettings, signer: RequestSigner): AsyncGenerator<ProbeAnswer> {
  const probe = new Probe(settings, signer);
  try {
    yield* probe.answers();
    yield said('What of these orders still rests', await probe.clear());
  } finally {
    await probe.clear();
    await probe.close();
  }
}

class Probe {
  readonly #client: KalshiClient;
  readonly #rest: KalshiRest;
  readonly #http: HttpClient;
  readonly #socket: KalshiSocket;
  /** What the account's channels and the book's told, in the order in which it came. */
  readonly #frames: KalshiFrame[] = [];
  /** The ids under which orders were sent. */
  readonly #sent = new Set<string>();
  /** The venue's names of orders that may rest, and their market. */
  readonly #placed = new Map<string, string>();

  constructor(
    settings: KalshiSettings,
    private readonly signer: RequestSigner,
  ) {
    const { api, socket, environment, series } = settings;
    const report = () => {};
    this.#client = new KalshiClient({ api, signer, clock: MACHINE, report });
    this.#rest = new KalshiRest({ api, venue: kalshiVenue(environment), clock: MACHINE, series });
    this.#http = new HttpClient(new URL(API_PATH, api), READS, undefined, report);
    this.#socket = new KalshiSocket(
      { socket, signer, now: () => this.#now() },
      {
        opened: () => this.#socket.send('subscribe', { channels: ['user_orders', 'fill'] }),
        received: (frame) => this.#frames.push(frame),
        lost: report,
      },
    );
  }

  async *answers(): AsyncGenerator<ProbeAnswer> {
    await this.#client.venueClock.measure();
    const { items: open } = await this.#rest.search({ status: ['open', 'in_play'] }, { limit: MARKETS_SEEN });
    const market = await this.#quiet(open);
    if (market === null) {
      yield said('Orders', `${NOT_ASKED}: no open market of these series has offers above a cent. Set KALSHI_SERIES.`);
    } else {
      yield said('The market asked', market.id);
      yield* this.#identities(market, open);
      yield* this.#fills(market);
      yield* this.#streams(market);
    }
    yield* this.#words();
    yield said('8. How far a clock may be off', await this.#clocks());
    yield* terms(open);
    yield said('10. A scalar result held as NO', `${NOT_ASKED}: hold NO of a market until such a result`);
    yield said('11. A delay of takers in live sports', `${NOT_ASKED}: compare with an order of a game in play`);
  }

  /** Cancels all that rests of what was sent, also where its answer was lost. Says what may still rest. */
  async clear(): Promise<string> {
    if (this.#sent.size === 0) return 'nothing';
    const resting = await this.#client.orders({ status: 'resting' });
    const listed = resting.kind === 'no_answer' ? [] : resting.items;
    for (const { orderId, clientOrderId, ticker } of listed)
      if (this.#sent.has(clientOrderId)) this.#placed.set(orderId, ticker);
    const kept: string[] = [];
    for (const [order, ticker] of this.#placed) {
      const answer = await this.#client.cancel(order, ticker);
      if (answer.kind === 'no_answer') kept.push(order);
      else this.#placed.delete(order);
    }
    if (kept.length > 0) return `${kept.join(', ')}: cancel them on the web page of the venue`;
    return resting.kind === 'no_answer' ? 'not known: look at the web page of the venue' : 'nothing';
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#http.close(), this.#rest.close(), this.#socket.close()]);
  }

  /** An open market in which a bid of a cent rests. */
  async #quiet(markets: readonly Market[]): Promise<Market | null> {
    for (const market of markets) {
      const book = market.terms === null ? undefined : await this.#rest.book(market);
      const best = book?.asks[0];
      if (best !== undefined && best.price > CENT) return market;
    }
    return null;
  }

  async *#identities({ id: ticker }: Market, open: readonly Market[]): AsyncGenerator<ProbeAnswer> {
    const bid = { ticker, price: CENT };
    const [refused, killed, twice] = [randomUUID(), randomUUID(), randomUUID()];
    const long = `probe-${randomUUID()}-${'x'.repeat(21)}`;
    const wrong = outcomeText(await this.#create({ ...bid, id: refused, price: OFF_GRID }));
    const again = outcomeText(await this.#create({ ...bid, id: refused }));
    yield said('1. Whether a refused order uses up its id', `${wrong}; the same id with a valid body: ${again}`);
    const kill = outcomeText(await this.#create({ ...bid, id: killed, timeInForce: 'fill_or_kill' }));
    yield said('1. Whether a killed order is listed', `${kill}; ${await this.#listed(ticker, killed)}`);
    const first = outcomeText(await this.#create({ ...bid, id: twice }));
    const other = outcomeText(await this.#create({ ...bid, id: twice, count: '2.00' }));
    yield said('3. The same id with another body', `first ${first}; then ${other}`);
    const odd = outcomeText(await this.#create({ ...bid, id: long }));
    yield said('2. An id of 64 characters with letters beyond hexadecimal', odd);
    const elsewhere = open.find(({ id }) => seriesOf(id) !== seriesOf(ticker));
    const across =
      elsewhere === undefined
        ? `${NOT_ASKED}: only one series has open markets`
        : outcomeText(await this.#create({ ticker: elsewhere.id, price: CENT, id: twice }));
    yield said('2. The same id in a market of another series, maybe of another shard', across);
    yield said('2. How long ids are remembered', `${NOT_ASKED}: only time answers`);
    yield said('6. Whether a read by its id shows an order', await this.#readById());
  }

  /** A hundredth of a contract at the best offer: less than a cent. */
  async *#fills(market: Market): AsyncGenerator<ProbeAnswer> {
    const question = '4. What a fill costs, and how exactly the account is kept';
    const best = (await this.#rest.book(market))?.asks[0];
    const before = await this.#client.balance();
    if (best === undefined || before.kind !== 'ok')
      return yield said(question, `${NOT_ASKED}: no offer, or no balance`);
    const id = randomUUID();
    const order = { ticker: market.id, id, price: best.price, count: '0.01', timeInForce: 'immediate_or_cancel' };
    const created = await this.#create(order);
    if (created.kind !== 'accepted' || created.filled === 0n) return yield said(question, outcomeText(created));
    const read = () => this.#client.fills({ orderId: created.orderId });
    const fills = await eventually(read, (found) => found.kind !== 'no_answer' && found.items.length > 0);
    const after = await this.#client.balance();
    if (fills.kind === 'no_answer' || after.kind !== 'ok') return yield said(question, 'the venue did not return it');
    const parts = fills.items.map(({ shares, yesPrice, fee }) =>
      [`${formatMicro(shares)} at ${formatMicro(yesPrice)}`, `fee_cost ${formatMicro(fee)}`].join(', '),
    );
    const paid = formatMicro(minus(before.value.balance, after.value.balance));
    yield said(question, `${parts.join('; ')}; the balance fell by ${paid}`);
  }

  async *#streams({ id: ticker }: Market): AsyncGenerator<ProbeAnswer> {
    const told = this.#frames.filter(({ type }) => type === 'fill' || type === 'user_order').map(({ type }) => type);
    yield said('7. What the channels of the account told, in order', told.join(', ') || 'nothing');
    const from = this.#frames.length;
    const since = () => this.#frames.slice(from);
    const channel = { channels: ['orderbook_delta'], market_tickers: [ticker], use_yes_price: true };
    const asked = this.#socket.send('subscribe', channel);
    const book = await eventually(since, (frames) => frames.some(isSnapshot));
    const sid = book.find(isSnapshot)?.sid ?? null;
    if (sid === null) return yield said('9. Whether get_snapshot sends a book anew', `no book came (command ${asked})`);
    this.#socket.send('update_subscription', { sid, action: 'get_snapshot', market_tickers: [ticker] });
    const all = await eventually(since, (frames) => frames.filter(isSnapshot).length > 1);
    const seqs = all.filter(isSnapshot).map(({ seq }) => `${seq}`);
    const answer = seqs.length > 1 ? `yes; seq ${seqs.join(', then ')}` : 'no book came';
    yield said('9. Whether get_snapshot sends a book anew', answer);
  }

  /** What the venue says of a market that is over. */
  async *#words(): AsyncGenerator<ProbeAnswer> {
    const { items } = await this.#rest.search({ status: ['closed', 'resolved'] }, { limit: 1 });
    const [over] = items;
    const answer =
      over === undefined
        ? `${NOT_ASKED}: no market of these series is over`
        : outcomeText(await this.#create({ ticker: over.id, price: CENT, id: randomUUID() }));
    yield said('5. The words for a market that is over', answer);
    yield said(
      '5. The words for a risk limit, a missing attestation, a wrong shard',
      `${NOT_ASKED}: nothing provokes them`,
    );
  }

  /** The greatest errors of a clock, ahead and behind, with which a read is taken. */
  async #clocks(): Promise<string> {
    const taken = async (sign: 1 | -1) => {
      let most = 0;
      for (const seconds of CLOCKS) {
        if (!(await this.#takesClock(sign * seconds * 1000))) break;
        most = seconds;
      }
      return most;
    };
    return `${await taken(1)} s ahead and ${await taken(-1)} s behind are taken, of ${CLOCKS.join(', ')}`;
  }

  /** By a connection of its own: that of the account would measure the time anew, and ask again. */
  async #takesClock(offMs: number): Promise<boolean> {
    const call = { method: 'GET', path: '/portfolio/balance' } as const;
    const signed = { method: call.method, path: `${API_PATH}${call.path}` };
    const headers = () => accessHeaders(this.signer, signed, this.#now() + offMs);
    const answer = await this.#http.read({ ...call, headers });
    return answer.kind === 'answered' && answer.status === 200;
  }

  #now(): number {
    return Date.now() + this.#client.venueClock.offsetMs;
  }

  async #create({ ticker, id, price, count = '1.00', timeInForce = 'good_till_canceled' }: Body) {
    const body = JSON.stringify({
      ticker,
      client_order_id: id,
      side: 'bid',
      count,
      price: priceText(price),
      time_in_force: timeInForce,
      self_trade_prevention_type: 'taker_at_cross',
    });
    this.#sent.add(id);
    const outcome = await this.#client.create(body, id);
    if (outcome.kind === 'accepted' && timeInForce === 'good_till_canceled') this.#placed.set(outcome.orderId, ticker);
    return outcome;
  }

  async #listed(ticker: string, identity: string): Promise<string> {
    const answer = await this.#client.orders({ ticker });
    if (answer.kind === 'no_answer') return reasonText(answer);
    const found = answer.items.find(({ clientOrderId }) => clientOrderId === identity);
    return found === undefined ? 'not in the list' : `in the list as ${found.status}`;
  }

  async #readById(): Promise<string> {
    const [placed] = this.#placed.keys();
    if (placed === undefined) return `${NOT_ASKED}: no order rests`;
    const answer = await eventually(
      () => this.#client.order(placed),
      ({ kind }) => kind === 'ok',
    );
    return answer.kind === 'ok' ? `yes, as ${answer.value.status} on shard ${answer.value.shard}` : reasonText(answer);
  }
}

/** The fees of the series of these markets, as markets here tell them. */
function* terms(markets: readonly Market[]): Generator<ProbeAnswer> {
  const bySeries = new Map(
    markets.map(({ id, terms }) => {
      const fee = terms?.fee ?? null;
      const rates =
        fee === null ? [] : ([rateOf(fee, 'TAKER'), rateOf(fee, 'MAKER')] as const).map((one) => formatMicro(one));
      return [seriesOf(id), rates.length === 0 ? 'not known' : `taker ${rates[0]}, maker ${rates[1]}`] as const;
    }),
  );
  const all = [...bySeries].map(([series, rates]) => `${series}: ${rates}`).join('; ');
  yield said('12. The rates of fees', all || `${NOT_ASKED}: no open market`);
}

const seriesOf = (ticker: string): string => ticker.split('-')[0] ?? ticker;

const said = (question: string, answer: string): ProbeAnswer => ({ question, answer });

const isSnapshot = ({ type }: KalshiFrame): boolean => type === 'orderbook_snapshot';

function outcomeText(outcome: CreateOutcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return `taken, ${formatMicro(outcome.filled)} filled`;
    case 'duplicate':
      return 'refused: the order already exists';
    case 'identity_mismatch':
      return `answered for another id, ${outcome.clientOrderId}`;
    case 'not_sent':
      return 'not sent';
    default:
      return `${outcome.kind === 'rejected' ? 'refused' : outcome.kind.replaceAll('_', ' ')}: ${outcome.said || outcome.code}`;
  }
}

const reasonText = ({ reason, status }: NoAnswer): string => (status === null ? reason : `${reason}, status ${status}`);

/** Reads until what was read is as wanted, or the time is over; then what was read last. */
async function eventually<T>(read: () => T | Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  const until = performance.now() + HEARD_WITHIN_MS;
  for (;;) {
    const found = await read();
    if (isWanted(found) || performance.now() > until) return found;
    await passed(LOOK_EVERY_MS);
  }
}
