import type { Exchange } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import { OrderNotFound } from '../../errors.js';
import { isJobLost, leaseOf, scopeOf } from '../../ledger/decision.js';
import { type Job, jobOf, LEASE_MS } from '../../ledger/job.js';
import { isInFlight } from '../../order/lifecycle.js';
import type { KnownPrices } from '../../order/market-at-order.js';
import type { Order } from '../../order/order.js';
import { stopped, stopScope } from '../../posting/order-checks.js';
import { answerOf, booked, isNews, recordStatusReport, withArrival } from '../../posting/outcome.js';
import { type Step, type StepTerms, takeStep } from '../../posting/posting.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { Venues } from '../../venues/venues.js';
import { ReadSet } from './order-placement.js';

const MAY_SEND = () => true;
const STAYS_WANTED = async () => true;

/** Sends an order on record to its venue, once, and records the outcome. */
export class SubmitOrder {
  readonly #set: ReadSet;

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly context: OrderContext & { readonly followed?: KnownPrices },
  ) {
    this.#set = new ReadSet(ledger, venues);
  }

  /**
   * Returns the order as it is then. `job` entitles the caller to send it to a venue over the network: without one, or
   * after it was lost, nothing is sent. An exchange in this process needs none; what it answers after its lease was lost is
   * not recorded: the next owner goes on.
   */
  async execute(order: Order, job: Job | null = null): Promise<Order> {
    const exchange = this.venues.exchangeOf(order.intent);
    if (exchange === null) return order;
    if (exchange.local !== null) return this.#enter(exchange, order);
    return job === null ? order : this.#send(exchange, order, job);
  }

  /** Sends an order that this process has just put on record; one that was denied, or decided at once, is returned as it is. */
  async placed(order: Order): Promise<Order> {
    return isInFlight(order.state) ? this.execute(order, jobOf(order.account, order.id)) : order;
  }

  /** A venue in this process may have put its whole answer on record before it answers. */
  async #enter(exchange: Exchange, order: Order): Promise<Order> {
    const lease = leaseOf(exchange);
    const answer = await answerOf(exchange, () => exchange.place(order, MAY_SEND, STAYS_WANTED));
    // Many orders that are answered at once are read together.
    const current = await this.ledger.findOrder(order.account, order.id);
    if (current === undefined) throw new OrderNotFound();
    if (!isNews(current, answer, { isLocal: true })) return current;
    return booked(answer, (found) => this.#take(order, (posting) => recordStatusReport(posting, found), { lease }));
  }

  async #send(exchange: Exchange, order: Order, job: Job): Promise<Order> {
    const identity = await identityOf(exchange, order);
    const since = this.context.stopwatch();
    const { claimed, current } = await this.#claim(order, job, identity);
    if (!claimed) return current;
    const mayStillSend = () => this.context.stopwatch() - since < LEASE_MS;
    const answer = await answerOf(exchange, () => exchange.place(current, mayStillSend, () => this.#isWanted(current)));
    const halt = 'halt' in answer ? answer.halt : undefined;
    const arrived = withArrival(answer, current, this.context.followed);
    return booked(arrived, (found) =>
      this.#take(order, (posting) => recordStatusReport(posting, found), { job, halt }),
    );
  }

  async #isWanted(order: Order): Promise<boolean> {
    const at = this.context.wallClock.now();
    const set = await this.#set.beside(order, at);
    const scope = { ...scopeOf(order), ...stopScope(order, set) };
    return this.ledger.read(scope, (now) => stopped(order, now, at, set) === null);
  }

  /**
   * Takes the order from `pending`, which no other process can do after that. What would stop it was checked when it was
   * placed, and is checked again: a pause, a halt or a missed deadline since then still counts.
   */
  async #claim(order: Order, job: Job, identity: Identity): Promise<{ claimed: boolean; current: Order }> {
    let claimed = false;
    const set = await this.#set.beside(order, this.context.wallClock.now());
    const claim: Step = (posting, now) => {
      claimed = false;
      if (posting.order.state !== 'pending' || isJobLost(now, job)) return;
      const refusal = stopped(posting.order, now, this.context.wallClock.now(), set);
      if (isLate(posting.order, this.context.clock.now()))
        posting.record({ type: 'expired', reason: 'it was not sent in time' });
      else if (refusal !== null) posting.record({ type: 'denied', refusal });
      else if (identity !== 'unavailable') {
        posting.record({ type: 'submitting', ...identity });
        claimed = true;
      }
    };
    const current = await this.#take(order, claim, { job, also: stopScope(order, set) });
    return { claimed, current };
  }

  #take(order: Order, step: Step, terms: StepTerms): Promise<Order> {
    return takeStep(this.ledger, this.context, order, step, terms);
  }
}

/** The identity of an order at its venue, where that is known before; `unavailable` when signing failed, so that the order waits. */
type Identity = { readonly venueOrderId?: string } | 'unavailable';

async function identityOf({ signing }: Exchange, order: Order): Promise<Identity> {
  if (signing === null) return {};
  try {
    return { venueOrderId: await signing.identify(order) };
  } catch {
    return 'unavailable';
  }
}

const isLate = ({ intent }: Order, now: Date): boolean => intent.envelope !== null && intent.envelope.sendBy < now;
