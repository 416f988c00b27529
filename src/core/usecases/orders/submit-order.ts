import type { Exchange } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import { halted } from '../../account/account.js';
import { OrderNotFound } from '../../errors.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { isLost, type Job, jobAfter, LEASE_MS } from '../../ledger/job.js';
import { type LeaseInHand, leased, leaseOf, mayAct } from '../../ledger/lease.js';
import { scopeOf } from '../../ledger/scope.js';
import type { Order, Refusal } from '../../order/order.js';
import { stopped } from '../../posting/limits.js';
import { answerOf, booked, recordStatusReport } from '../../posting/outcome.js';
import { type OrderContext, Posting } from '../../posting/posting.js';
import type { Venues } from '../../venues/venues.js';

const MAY_SEND = () => true;
const STAYS_WANTED = async () => true;

/** Carries an order on record to its venue, once, and records what came of it. */
export class SubmitOrder {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly context: OrderContext,
  ) {}

  /**
   * The order as it is then. `job` is what entitles to send an order with real money: without one, and by who has lost his,
   * nothing is sent. What a venue in this process answers after its lease was lost is not recorded: the next owner goes on.
   */
  async execute(order: Order, job: Job | null = null): Promise<Order> {
    const venue = this.venues.exchangeOf(order.intent);
    if (venue === null) return order;
    if (venue.local !== null) {
      const lease = leaseOf(venue);
      const answer = await answerOf(venue, (v) => v.place(order, MAY_SEND, STAYS_WANTED));
      return booked(answer, (found) =>
        this.#recordLocal(order, lease, (posting) => recordStatusReport(posting, found)),
      );
    }
    return job === null && !order.intent.paper ? order : this.#send(venue, order, job);
  }

  #recordLocal(order: Order, lease: LeaseInHand, step: (posting: Posting) => void): Promise<Order> {
    return this.ledger.write({ ...scopeOf(order), ...leased(lease) }, (now) => {
      const posting = Posting.resume(now, this.context, onRecord(now, order));
      if (mayAct(now, lease)) step(posting);
      return posting.decision(posting.order);
    });
  }

  async #send(venue: Exchange, order: Order, job: Job | null): Promise<Order> {
    const identity = await identityOf(venue, order);
    const since = this.context.stopwatch();
    const { claimed, current } = await this.#claim(order, job, identity);
    if (!claimed) return current;
    const mayStillSend = () => this.context.stopwatch() - since < LEASE_MS;
    const answer = await answerOf(venue, (v) => v.place(current, mayStillSend, () => this.#isWanted(current)));
    const halt = 'halt' in answer ? answer.halt : undefined;
    return booked(answer, (found) => this.#record(order, job, (posting) => recordStatusReport(posting, found), halt));
  }

  #isWanted(order: Order): Promise<boolean> {
    return this.ledger.read(scopeOf(order), (now) => stopped(order, now) === null);
  }

  /**
   * Takes the order from `pending`, which nobody else can after that. What would stop it was looked at when it was placed,
   * and is looked at again: a pause, a halt or a late hour between then and now still counts.
   */
  async #claim(order: Order, job: Job | null, identity: Identity): Promise<{ claimed: boolean; current: Order }> {
    let claimed = false;
    const current = await this.#record(order, job, (posting, now) => {
      claimed = false;
      if (posting.order.state !== 'pending' || isLost(now, job)) return;
      const refusal = stopped(posting.order, now);
      if (isLate(posting.order, this.context.clock.now()))
        posting.record({ type: 'expired', reason: 'it was not sent in time' });
      else if (refusal !== null) posting.record({ type: 'denied', refusal });
      else if (identity !== 'untold') {
        posting.record({ type: 'submitting', ...identity });
        claimed = true;
      }
    });
    return { claimed, current };
  }

  #record(
    order: Order,
    job: Job | null,
    step: (posting: Posting, now: Snapshot) => void,
    halt?: Refusal,
  ): Promise<Order> {
    const scope = job === null ? scopeOf(order) : { ...scopeOf(order), jobs: [order.id] };
    return this.ledger.write(scope, (now): Decision<Order> => {
      const posting = Posting.resume(now, this.context, onRecord(now, order));
      step(posting, now);
      const accounts = halt === undefined ? {} : { accounts: [halted(now.account, halt, this.context.clock.now())] };
      return { ...posting.decision(posting.order), ...jobAfter(now, job, posting.order), ...accounts };
    });
  }
}

/** Its identity at the venue where that is known before; `untold` when whoever signs could not tell, so that it waits. */
type Identity = { readonly venueOrderId?: string } | 'untold';

async function identityOf({ signing }: Exchange, order: Order): Promise<Identity> {
  if (signing === null) return {};
  try {
    return { venueOrderId: await signing.sign(order) };
  } catch {
    return 'untold';
  }
}

function onRecord(now: Snapshot, { id }: Order): Order {
  const order = now.order(id);
  if (order === undefined) throw new OrderNotFound();
  return order;
}

const isLate = ({ intent }: Order, now: Date): boolean => intent.envelope !== null && intent.envelope.sendBy < now;
