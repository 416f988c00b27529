import type { Exchange } from '../../../../ports/exchange.js';
import type { JobQueue } from '../../../../ports/leases.js';
import type { Ledger } from '../../../../ports/ledger.js';
import { isJobLost, isOutstanding } from '../../../ledger/decision.js';
import { type Job, LEASE_MS } from '../../../ledger/job.js';
import type { Order } from '../../../order/order.js';
import { answerOf, booked, recordStatusReport } from '../../../posting/outcome.js';
import { type Step, takeStep } from '../../../posting/posting.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import type { Venues } from '../../../venues/venues.js';
import type { SubmitOrder } from '../submit-order.js';

const AT_ONCE = 10;
/** How long jobs are taken for a round, well within the lease of the first. */
const TAKING_UP_MS = 15_000;
const LOST_TOUCH = { code: 'outcome_unknown', message: 'It is not known whether the order reached the venue.' };

/**
 * Takes over orders sent over the network whose job is due: their server ended, or the venue has not yet reported their outcome. An order
 * that was never sent is sent, if it is not too late; one that may have been sent is queried, and never sent again.
 */
export class LookAfterOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly jobs: JobQueue,
    private readonly venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext,
  ) {}

  /**
   * Returns how many orders it handled, in some fifteen seconds: what is due then waits for the next time. One that fails
   * does not stop the others: its error is thrown at the end.
   */
  async execute(): Promise<number> {
    if (!this.venues.haveRemote) return 0;
    const outcomes: PromiseSettledResult<void>[] = [];
    const began = this.context.stopwatch();
    while (this.context.stopwatch() - began < TAKING_UP_MS) {
      const jobs = await this.jobs.claimJobs(AT_ONCE, LEASE_MS);
      if (jobs.length === 0) break;
      outcomes.push(...(await Promise.allSettled(jobs.map((job) => this.#lookAfter(job)))));
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return outcomes.length;
  }

  async #lookAfter(job: Job): Promise<void> {
    const order = await this.ledger.findOrder(job.account, job.orderId);
    const exchange = order === undefined ? null : this.venues.exchangeOf(order.intent);
    // Its venue is not configured now: the job becomes due again.
    if (exchange === null) return;
    if (order?.state === 'pending') await this.submitOrder.execute(order, job);
    else if (order !== undefined && isOutstanding(order)) await this.#look(exchange, order, job);
    else if (order !== undefined) await this.#record(order, job, () => {});
  }

  /** First the order becomes unknown, on record too: the query may take long, or never end. */
  async #look(exchange: Exchange, order: Order, job: Job): Promise<void> {
    if (order.state === 'submitting') {
      await this.#record(order, job, (posting) => {
        if (posting.order.state === 'submitting') posting.record({ type: 'unknown', refusal: LOST_TOUCH });
      });
    }
    const report = await answerOf(exchange, () => exchange.find(order));
    await booked(report, (found) => this.#record(order, job, (posting) => recordStatusReport(posting, found)));
  }

  async #record(order: Order, job: Job, step: Step): Promise<void> {
    const unlessLost: Step = (posting, now) => {
      if (!isJobLost(now, job)) step(posting, now);
    };
    await takeStep(this.ledger, this.context, order, unlessLost, { job });
  }
}
