import type { Ledger } from '../../ports/ledger.js';
import { halted } from '../account/account.js';
import { OrderNotFound } from '../errors.js';
import type { OrderId } from '../ids.js';
import type { Decision, Scope, Snapshot } from '../ledger/decision.js';
import type { Job } from '../ledger/job.js';
import { jobAfter } from '../ledger/job-steps.js';
import type { LeaseInHand } from '../ledger/lease.js';
import { scopeOf } from '../ledger/scope.js';
import { leased, mayAct } from '../ledger/under-lease.js';
import type { Order, Refusal } from '../order/order.js';
import type { OrderContext } from './order-context.js';
import { Posting } from './posting.js';
import { watched } from './trading-watch.js';

/** The next step of an order, given what is on record; a step that records nothing stores nothing. */
export type Step = (posting: Posting, now: Snapshot) => void;

/** What else is stored with a step, or stands in its way. */
export interface StepTerms {
  /** Once this lease was lost nothing is recorded: the next owner goes on. */
  readonly lease?: LeaseInHand;
  /** The job of the order, which is updated with it. */
  readonly job?: Job | null;
  /** Why no further order of the account should be sent. */
  readonly halt?: Refusal | undefined;
  /** What the step reads beside all that it may touch. */
  readonly also?: Partial<Scope> | undefined;
}

/** Takes an order from where it is on record: the one way to change it. @throws OrderNotFound, and what the step throws */
export function stepped(now: Snapshot, context: OrderContext, id: OrderId, step: Step): Decision<Order> {
  const before = orderOnRecord(now, id);
  const posting = Posting.resume(now, context, before);
  step(posting, now);
  const decision = posting.decision(posting.order);
  const account = watched(now.account, before, posting.order, decision.events ?? [], context.wallClock.now());
  return account === null ? decision : { ...decision, accounts: [account] };
}

/** Does the same in a write of its own, and returns the order as it is then. */
export function takeStep(
  ledger: Pick<Ledger, 'write'>,
  context: OrderContext,
  order: Order,
  step: Step,
  { lease, job = null, halt, also }: StepTerms = {},
): Promise<Order> {
  const jobs = job === null ? {} : { jobs: [order.id] };
  return ledger.write({ ...scopeOf(order), ...leased(lease), ...jobs, ...also }, (now) => {
    const decision = stepped(now, context, order.id, (posting) => {
      if (mayAct(now, lease)) step(posting, now);
    });
    const [account = now.account] = decision.accounts ?? [];
    const accounts = halt === undefined ? {} : { accounts: [halted(account, halt, context.clock.now())] };
    return { ...decision, ...jobAfter(now, job, decision.result), ...accounts };
  });
}

/** The order as it is on record. @throws OrderNotFound */
export function orderOnRecord(now: Snapshot, id: OrderId): Order {
  const order = now.order(id);
  if (order === undefined) throw new OrderNotFound();
  return order;
}
