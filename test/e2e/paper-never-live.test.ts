import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import type { AccountId } from '../../src/core/ids.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import type { Exchange } from '../../src/ports/exchange.js';
import type { Clock } from '../../src/ports/system.js';
import { aFixture, listed } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../support/app.js';
import { anOrderContext, usdc } from '../support/builders.js';
import { watchEgress } from '../support/egress.js';
import type { Client, Reply } from '../support/http.js';
import { within } from '../support/runs.js';
import { ScriptedSimulator, SigningExchange, takes } from '../support/scripted-exchange.js';
import { watched } from '../support/watched-exchange.js';
import { type Intention, type PaperRequest, paperRequests } from './paper-requests.js';
import { idOf } from './trading.js';

type Sent = { readonly intention: Intention; readonly send: () => Promise<Reply> };

const REUSED = '422 idempotency-key-reused';
const ANSWERS: Readonly<Record<Exclude<Intention, 'repeat'>, RegExp>> = {
  'paper order': new RegExp(`^201|^409 idempotency-in-progress|${REUSED}`),
  'garbled order': /^(400|422) (bad-request|malformed-json|validation-failed)/,
  'forbidden order': new RegExp(`^403 live-trading-not-enabled|${REUSED}`),
  'free patch': /^200/,
  patch: /^200/,
  'refused patch': /^(400 malformed-json|412 precondition-failed|422 validation-failed)/,
  'strange patch': /^404/,
  pause: new RegExp(`^200|${REUSED}`),
  resume: new RegExp(`^200|${REUSED}`),
  strategy: new RegExp(`^201|${REUSED}`),
  cancellation: new RegExp(`^200|^404|^409 order-not-cancellable|${REUSED}`),
};

const answerOf = (reply: Reply): string => {
  const { type } = reply.json<{ type?: string }>();
  return `${reply.status} ${type?.replace('/problems/', '') ?? ''}`.trim();
};

/** A client that may trade with real money, and sends requests that do not; each answer is checked. */
class PaperTrader {
  /** Strategies that are paper only, and stay so. */
  readonly #guarded: string[] = [];
  /** Strategies that anything may become of. */
  readonly #free: string[] = [];
  readonly #orders: string[] = [];
  readonly #sent: Sent[] = [];
  /** How often each intention was answered in which way. */
  readonly seen = new Map<string, number>();

  private constructor(
    private readonly client: Client,
    private readonly stranger: Client,
  ) {}

  static async start(client: Client, stranger: Client): Promise<PaperTrader> {
    const trader = new PaperTrader(client, stranger);
    for (const paper_only of [undefined, true]) {
      trader.#guarded.push(idOf(await client.post(STRATEGIES, { ...STRATEGY, paper_only })));
    }
    for (const paper_only of [false, true]) {
      trader.#free.push(idOf(await client.post(STRATEGIES, { ...STRATEGY, paper_only })));
    }
    return trader;
  }

  /** How many different orders were answered. */
  get orders(): number {
    return new Set(this.#orders).size;
  }

  async send(request: PaperRequest): Promise<void> {
    const sent = this.#prepared(request);
    if (this.#sent.length < 1000) this.#sent.push(sent);
    else this.#sent[request.pick % 1000] = sent;
    this.#judge(sent.intention, await sent.send(), request);
  }

  #judge(intention: Intention, reply: Reply, request: PaperRequest): void {
    const answer = answerOf(reply);
    const about = () => `${intention}: ${JSON.stringify(request)}\n${reply.text}`;
    if (intention !== 'repeat') expect(answer, about()).toMatch(ANSWERS[intention]);
    if (answer.startsWith('20') && (intention.endsWith('order') || intention === 'cancellation')) {
      expect(reply.json()['paper'], about()).toBe(true);
      this.#orders.push(idOf(reply));
    }
    if (intention === 'strategy' && reply.status === 201) this.#guarded.push(idOf(reply));
    const name = `${request.intention}: ${answer}`;
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
  }

  #prepared(request: PaperRequest): Sent {
    const { intention, pick, members, frame, query, headers } = request;
    const earlier = this.#sent[pick % Math.max(this.#sent.length, 1)];
    if (intention === 'repeat' && earlier !== undefined) return earlier;
    const of = (ids: readonly string[]) => ids[pick % ids.length] ?? pick.toString();
    const object = `{${[...members, ...this.#strategyOf(request)].filter((one) => one !== '').join(',')}}`;
    const body = frame.replaceAll('$', () => object);
    const sends = (method: string, path: string, text?: string, client = this.client): Sent => ({
      intention,
      send: () => client.send(method, path, { body: text, headers }),
    });
    if (intention.endsWith('order')) return sends('POST', `${ORDERS}${query}`, body);
    switch (intention) {
      case 'free patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#free)}`, body);
      case 'patch':
      case 'refused patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#guarded)}`, body);
      case 'strange patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#guarded)}`, body, this.stranger);
      case 'strategy':
        return sends('POST', STRATEGIES, body);
      case 'cancellation':
        return pick % 2 === 0
          ? sends('POST', `${ORDERS}/${of(this.#orders)}/cancel`)
          : sends('DELETE', `${ORDERS}/${of(this.#orders)}`);
      default:
        return sends('POST', `${STRATEGIES}/${of([...this.#guarded, ...this.#free])}/${intention}`);
    }
  }

  #strategyOf({ under, pick }: PaperRequest): string[] {
    if (under === 'none') return [];
    const ids = under === 'guarded' ? this.#guarded : this.#free;
    return [`"strategy_id":"${ids[pick % ids.length]}"`];
  }
}

const REQUESTS = 10_000;
const AT_ONCE = 20;
const TRADER = 'trader' as AccountId;

/** A server that trades at this exchange, and a trader with money, whom nothing but the requests keeps from it. */
async function aServer(exchange: Exchange, paper: Exchange, clock: Clock = systemClock) {
  const ledger = new MemoryLedger();
  const context = anOrderContext({ clock, ids: uuidV7, openingCash: usdc('1000000') });
  const live = watched(exchange);
  const { venue } = exchange;
  const markets = Object.assign(new NoMarketData(venue), { find: async () => listed({ venue }) });
  const app = await startApp({ ledger, context, paper, live: live.exchange, markets, authenticator: 'keys' });
  const manage = new ManageAccounts(ledger, context);
  await manage.allowLive(TRADER, true);
  await manage.deposit(TRADER, venue, usdc('1000'));
  const client = await app.keyed(TRADER, ...AUTH_SCOPES);
  const trader = await PaperTrader.start(client, await app.keyed('stranger', ...AUTH_SCOPES));

  /** Sends so many generated requests, some at a time. */
  async function sends(requests: number): Promise<void> {
    const batches = fc.array(paperRequests, { minLength: AT_ONCE, maxLength: AT_ONCE });
    const property = fc.asyncProperty(batches, async (batch) => {
      await Promise.all(batch.map((request) => trader.send(request)));
      expect(live.touched).toEqual([]);
    });
    await fc.assert(property, {
      numRuns: requests / AT_ONCE,
      seed: 20_300_131,
      endOnFailure: true,
      plugins: [within(120_000)],
    });
  }

  /** The one order that may: real money, under a strategy that allows it. */
  async function placesForReal() {
    const strategy_id = idOf(await client.post(STRATEGIES, { ...STRATEGY, paper_only: false }));
    return client.post(ORDERS, { ...ORDER, paper: false, strategy_id });
  }

  return { app, ledger, manage, live, trader, sends, placesForReal };
}

describe('A live exchange, with an account that may trade there', () => {
  test(`is never accessed by ${REQUESTS} paper requests or by paper-only strategies`, async () => {
    const exchange = new SigningExchange({ place: takes() });
    exchange.sendBy = new Date('2999-01-01');
    const { app, ledger, manage, live, trader, sends, placesForReal } = await aServer(
      exchange,
      new ScriptedSimulator(),
    );
    await sends(REQUESTS);
    expect([live.touched, exchange.calls, exchange.envelopes]).toEqual([[], [], 0]);
    const orders = await ledger.listOrders(TRADER, {}, { limit: REQUESTS * 2 });
    expect(orders.filter(({ intent }) => !intent.paper)).toEqual([]);
    expect(orders).toHaveLength(trader.orders);
    expect(await ledger.claimJobs(1, 1000)).toEqual([]);
    expect((await manage.show(TRADER)).balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
    expect(app.failures).toEqual([]);
    expect([...trader.seen.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);

    // Every kind of request came, or this would mean nothing; and what it watches is what a live order goes through.
    expect(rare(trader.seen)).toEqual([]);
    expect((await placesForReal()).json()).toMatchObject({ status: 'open', paper: false });
    expect(live.touched).toEqual(expect.arrayContaining(['signing.envelope', 'signing.identify', 'place']));
    expect(live.touched.filter((name) => name === 'place')).toHaveLength(1);
    expect(exchange.count('place')).toBe(1);
  });

  test('gets no connection from them, on the wire', async () => {
    const fixture = await aFixture();
    const { app, sends, placesForReal } = await aServer(fixture.exchange, new PaperExchange(), {
      now: () => new Date(fixture.time.now),
    });
    const before = fixture.venue.log.requests.length;
    const egress = watchEgress();
    try {
      await sends(500);
      const elsewhere = () => egress.destinations.filter((place) => place !== new URL(app.url).host);
      expect(egress.destinations.length).toBeGreaterThan(0);
      expect([elsewhere(), fixture.venue.log.requests.slice(before)]).toEqual([[], []]);

      expect((await placesForReal()).json()).toMatchObject({ status: 'open', paper: false });
      expect(elsewhere()).toEqual([fixture.venue.clob.host]);
      expect(fixture.posts()).toBe(1);
    } finally {
      egress.stop();
      await fixture.close();
    }
  });
});

/** Answers that say that their request got through, and were seen less than 50 times. */
function rare(seen: ReadonlyMap<string, number>): string[] {
  const wanted = [
    'paper order: 201',
    'garbled order: 400 malformed-json',
    'garbled order: 422 validation-failed',
    'forbidden order: 403 live-trading-not-enabled',
    'free patch: 200',
    'patch: 200',
    'strange patch: 404 not-found',
    'refused patch: 422 validation-failed',
    'refused patch: 412 precondition-failed',
    'pause: 200',
    'resume: 200',
    'strategy: 201',
    'cancellation: 200',
    'repeat: 201',
    'repeat: 403 live-trading-not-enabled',
  ];
  return wanted.filter((answer) => (seen.get(answer) ?? 0) < 50);
}
