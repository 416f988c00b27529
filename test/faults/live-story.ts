import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { readUserFrame } from '../../src/adapters/polymarket/websocket/user-wire.js';
import { DomainError, InvariantBroken, StorageUnavailable } from '../../src/core/errors.js';
import type { MarketId } from '../../src/core/ids.js';
import type { Usdc } from '../../src/core/money.js';
import type { Reconciliation } from '../../src/core/order/reconciliation.js';
import type { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import { aFixture, GAME, listed } from '../adapters/polymarket/execution/exchange-fixture.js';
import { ALICE, price } from '../support/builders.js';
import type { Fault } from '../support/fake-venue/faults.js';
import type { Json } from '../support/fake-venue/wire.js';
import { aTrader, type Fixture, funded } from '../support/live-trader.js';
import { Trading } from '../support/trading.js';
import { charging } from './charging.js';
import { Ended, MortalLedger } from './mortal.js';
import { faultOf, type Mishap, type Step, type Story } from './story.js';
import { OUTCOME_SIDES, wrongAtTheEnd } from './story-end.js';
import { settle } from './story-trades.js';

/** Of an order that expires. */
const LIFE_MS = 600_000;
/** A read that fails is repeated once; nothing hangs, so that no limit of time is met. */
const LIMITS = { overallMs: 1000 };
const ENDPOINTS = ['POST /order', 'DELETE /order', 'GET /data/order/', 'GET /data/orders', 'GET /data/trades'];
/** Together longer than any lease, any wait between two looks and any time that an absence needs to be believed. */
const [ROUNDS, ROUND_MS] = [14, 31_000];

type Of<T extends Step['type']> = Extract<Step, { type: T }>;

/** A life of an account with real money: servers that come and go, a venue that answers as it likes, and an operator. */
export class LiveStory {
  readonly #found: Reconciliation[] = [];
  readonly #answers = new Map<string, Set<string>>();
  readonly #ledger: MemoryLedger;
  readonly #began: Date;
  readonly #mishaps = new Map<string, Fault[]>(ENDPOINTS.map((endpoint) => [endpoint, []]));
  /** Requests that left us and have not reached the venue yet. */
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #asked: Of<'place'>[] = [];
  readonly #operator: ManageAccounts;
  #server: ReturnType<LiveStory['begin']>;
  #heard = 0;

  private constructor(
    readonly fixture: Fixture,
    readonly story: Story,
  ) {
    this.#ledger = new MemoryLedger({ now: () => new Date(fixture.time.now) });
    this.#began = new Date(fixture.time.now);
    const { venue } = fixture;
    if (story.charges) venue.list({ ...GAME, feeRate: '0.05' });
    Object.assign(venue.habits, story.habits);
    Object.assign(venue.reads, story.reads);
    for (const [endpoint, queue] of this.#mishaps) {
      venue.always(endpoint, (call) => (queue.shift() ?? faultOf('none'))(call));
    }
    this.#server = this.begin();
    // It outlives every server.
    this.#operator = new Trading(this.#ledger, this.#server.trading).use.accounts.manage;
  }

  /** Lives the story to its end, and gives what is wrong then; nothing, as a rule. */
  static async of(story: Story): Promise<readonly unknown[]> {
    const lived = new LiveStory(await aFixture(LIMITS), story);
    try {
      await funded(lived.#operator);
      for (const step of story.steps) {
        await lived.#live(step);
        if (lived.#server.life.hasEnded) lived.#server = lived.begin();
      }
      await lived.#calm();
      return await lived.#wrong();
    } finally {
      await lived.fixture.close();
    }
  }

  /** Another server on the same ledger, which knows nothing but what is on record. */
  begin() {
    const life = new MortalLedger(this.#ledger);
    const market = this.story.charges ? charging : listed;
    return { life, ...aTrader(this.fixture, life.ledger, market, this.fixture.restarted()) };
  }

  async #live(step: Step): Promise<void> {
    try {
      await this.#do(step);
    } catch (error) {
      const isRefusal =
        error instanceof DomainError && !(error instanceof InvariantBroken || error instanceof StorageUnavailable);
      if (!isRefusal && !(error instanceof Ended)) throw error;
    }
  }

  async #do(step: Step): Promise<unknown> {
    const { fixture } = this;
    const { venue } = fixture;
    switch (step.type) {
      case 'place':
        return this.#place(step);
      case 'cancel':
        return this.#cancel(step);
      case 'offer':
        return venue.offer(GAME.tokens[step.token], step.side, `0.${step.cents}`, `${step.size}`);
      case 'settle':
        return settle(fixture, venue.trades.at(-1 - (step.pick % (venue.trades.length || 1))), step.to);
      case 'pass':
        fixture.time.now += step.seconds * 1000;
        return;
      case 'look':
        return this.#server.worker.execute();
      case 'sweep':
        return this.#sweep();
      case 'blind':
        return this.#queue(step.endpoint, step.mishaps);
      case 'hours':
        venue.hours = step.hours;
        return;
      case 'arrive':
        return this.#late.shift()?.();
      case 'restart':
        this.#server = this.begin();
        return;
      case 'die':
        return this.#server.life.endAt(step.calls, step.after);
      case 'hear':
        return this.#hear(step);
      case 'operator':
        return this.#operate(step.act);
      case 'together':
        return Promise.all(step.steps.map((one) => this.#live(one)));
    }
  }

  async #place(step: Of<'place'>): Promise<void> {
    const again = step.again ? this.#asked.at(-1) : undefined;
    const asked = again ?? step;
    if (again === undefined) this.#asked.push(step);
    const key = `request ${this.#asked.length}`;
    this.#queue('POST /order', step.mishaps);
    const { side, cents, lots, timeInForce } = asked;
    const immediate = timeInForce === 'FOK' || timeInForce === 'FAK';
    const draft = {
      paper: false,
      venue: POLYMARKET,
      marketId: GAME.conditionId as MarketId,
      outcome: OUTCOME_SIDES[asked.token],
      side,
      timeInForce,
      price: price(`0.${cents}`),
      size: (BigInt(lots * cents) * 100n) as Usdc,
      expiresAt: timeInForce === 'GTD' ? new Date(this.fixture.time.now + LIFE_MS) : null,
      postOnly: asked.postOnly && !immediate,
    };
    const { id } = await this.#server.trading.place(draft, { mayTradeLive: true, idempotencyKey: key });
    this.#answers.set(key, (this.#answers.get(key) ?? new Set()).add(id));
  }

  async #cancel({ pick, mishap }: Of<'cancel'>): Promise<void> {
    const orders = await this.#ledger.listOrders(ALICE, {}, { limit: 10 });
    const order = orders[pick % (orders.length || 1)];
    if (order === undefined) return;
    this.#queue('DELETE /order', [mishap]);
    await this.#server.trading.cancelOrder.execute({ account: ALICE, orderId: order.id, idempotencyKey: null });
  }

  #queue(endpoint: string, mishaps: readonly Mishap[]): void {
    const faults = mishaps.map((mishap): Fault => (mishap === 'late' ? this.#delays() : faultOf(mishap)));
    this.#mishaps.get(endpoint)?.push(...faults);
  }

  #delays(): Fault {
    return async ({ body, process, request }) => {
      await body();
      this.#late.push(process);
      request.socket.destroy();
    };
  }

  async #sweep(): Promise<Reconciliation> {
    const found = await this.#server.reconcile.execute(this.#began);
    this.#found.push(found);
    return found;
  }

  async #hear({ most, how }: Of<'hear'>): Promise<void> {
    const { apiKey } = this.fixture.credentials;
    const sent = this.fixture.venue.user.sent.slice(this.#heard, this.#heard + most);
    this.#heard += sent.length;
    const ours = sent.filter((body: Json) => [body['order_owner'], body['trade_owner']].includes(apiKey));
    const heard = { once: ours, twice: [...ours, ...ours], backwards: ours.toReversed(), never: [] }[how];
    for (const body of heard) {
      for (const event of readUserFrame(JSON.stringify(body), { apiKey })) {
        if (event === null) throw new Error(`the message cannot be read: ${JSON.stringify(body)}`);
        this.#found.push(await this.#server.reconcile.take(this.#server.exchange.massStatusOf(event)));
      }
    }
  }

  async #operate(act: Of<'operator'>['act']): Promise<void> {
    if (act === 'halt') await this.#operator.halt(ALICE, 'lunch');
    else if (act === 'release') await this.#operator.release(ALICE);
    else await this.#operator.allowLive(ALICE, act === 'enable');
  }

  /** Nothing goes wrong any more, and time passes. */
  async #calm(): Promise<void> {
    const { venue, time } = this.fixture;
    for (const queue of this.#mishaps.values()) queue.length = 0;
    time.now += LIFE_MS;
    venue.hours = 'normal';
    for (const arrive of this.#late.splice(0)) await arrive();
    this.#server = this.begin();
    await this.#operator.release(ALICE);
    await this.#operator.allowLive(ALICE, true);
    for (let round = 0; round < ROUNDS; round++) {
      time.now += ROUND_MS;
      if (round === 2) {
        for (const trade of venue.trades.toReversed()) {
          settle(this.fixture, trade, this.story.confirms ? 'CONFIRMED' : 'FAILED');
          settle(this.fixture, trade, 'CONFIRMED');
        }
      }
      await this.#server.worker.execute();
      await this.#sweep();
    }
  }

  async #wrong(): Promise<readonly unknown[]> {
    const last = await this.#sweep();
    const { halt } = await this.#operator.show(ALICE);
    return wrongAtTheEnd({
      fixture: this.fixture,
      ledger: this.#ledger,
      found: this.#found,
      last,
      answers: this.#answers,
      halt,
    });
  }
}
