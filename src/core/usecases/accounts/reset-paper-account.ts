import type { Ledger } from '../../../ports/ledger.js';
import { type Account, PAPER_CASH } from '../../account/account.js';
import { AccountBusy, PaperAccountNotFound } from '../../account/account-errors.js';
import { OrderNotCancellable } from '../../errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/decision.js';
import { type Page, slices } from '../../ledger/query.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import type { OrderStatus } from '../../order/lifecycle.js';
import { decodeReset, encodeReset, type PaperReset, resetMoney } from '../../posting/reset.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { CancelOrder } from '../orders/cancel-order.js';
import type { Recorded } from '../orders/place-order.js';

/** The account to reset, and the operator who requests it. */
export interface ResetPaperAccountCommand {
  /** The operator; idempotency keys are per operator. */
  readonly by: AccountId;
  readonly account: AccountId;
  readonly idempotencyKey: string | null;
}

const RESTING = ['open', 'partially_filled'] as const satisfies readonly OrderStatus[];
const WORKING = ['pending', 'unknown', 'delayed', ...RESTING] as const satisfies readonly OrderStatus[];

/**
 * Resets a paper account: cancels its working orders, and then in one write restores its opening cash and removes all that
 * it holds and has earned. Its orders, their events, its strategies and its equity history stay as they are.
 */
export class ResetPaperAccount {
  constructor(
    private readonly ledger: Ledger,
    private readonly cancelOrder: CancelOrder,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'ids' | 'openingCash'>,
  ) {}

  /**
   * AccountBusy means that orders may have been cancelled, but no money was touched.
   * @throws PaperAccountNotFound, AccountBusy, IdempotencyKeyReused
   */
  async execute({ by, account, idempotencyKey }: ResetPaperAccountCommand): Promise<Recorded<PaperReset>> {
    if ((await this.ledger.findBalance(account, PAPER_CASH)) === undefined) throw new PaperAccountNotFound();
    const request = keyed(account, 'accounts.reset', idempotencyKey, { by });
    const scope = { account, ...(request === null ? {} : { request: request.key }) };
    const earlier = await this.ledger.read(scope, (now) => this.#earlier(now, request));
    if (earlier !== null) return earlier;
    const cancelled = await this.#cancelAll(account);
    if (await this.#isWorking(account)) throw new AccountBusy();
    return this.ledger.write({ ...scope, holdings: 'paper' }, (now) => this.#reset(now, request, cancelled));
  }

  #earlier(now: Snapshot, request: KeyedRequest | null): Recorded<PaperReset> | null {
    const text = earlierResult(now, request, this.context.wallClock.now());
    return text === undefined ? null : { record: decodeReset(now.account.id, text), replayed: true };
  }

  #reset(now: Snapshot, request: KeyedRequest | null, cancelledOrders: number): Decision<Recorded<PaperReset>> {
    const earlier = this.#earlier(now, request);
    if (earlier !== null) return { result: earlier };
    const before = now.balance(PAPER_CASH);
    if (before === undefined) throw new PaperAccountNotFound();
    const at = this.context.clock.now();
    const opening = this.context.openingCash;
    const money = resetMoney(now, before, { opening, entryId: this.context.ids.next(), at });
    const record = { account: before.account, cash: opening, reserved: 0n as typeof opening, cancelledOrders, at };
    const requests = requestRecords(request, encodeReset(record), false, this.context.wallClock.now());
    return { result: { record, replayed: false }, ...money, requests, accounts: begunAnew(now.account) };
  }

  async #cancelAll(account: AccountId): Promise<number> {
    let cancelled = 0;
    for (const status of RESTING) {
      const read = (page: Page<OrderId>) => this.ledger.listOrders(account, { paper: true, status }, page);
      for await (const orders of slices(read, (order) => order.id)) {
        const outcomes = await Promise.all(orders.map(({ id }) => this.#cancel(account, id)));
        cancelled += outcomes.filter((done) => done).length;
      }
    }
    return cancelled;
  }

  /** False for an order that has filled, or can no longer be cancelled. */
  async #cancel(account: AccountId, orderId: OrderId): Promise<boolean> {
    try {
      const { record } = await this.cancelOrder.execute({ account, orderId, idempotencyKey: null });
      return record.state === 'cancelled';
    } catch (error) {
      if (error instanceof OrderNotCancellable) return false;
      throw error;
    }
  }

  async #isWorking(account: AccountId): Promise<boolean> {
    const found = await Promise.all(
      WORKING.map((status) => this.ledger.listOrders(account, { paper: true, status }, { limit: 1 })),
    );
    return found.some((orders) => orders.length > 0);
  }
}

/** The account after a reset: earlier results are no longer losses, and earlier bets use no slot. */
function begunAnew(account: Account): readonly Account[] {
  const paperResets = (account.paperResets ?? 0) + 1;
  if (account.losses?.paper === undefined) return [{ ...account, paperResets }];
  const { paper: _, ...losses } = account.losses;
  return [{ ...account, losses, paperResets }];
}
