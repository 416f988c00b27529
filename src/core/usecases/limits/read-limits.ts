import type { Ledger } from '../../../ports/ledger.js';
import type { AccountId } from '../../ids.js';
import { type Limits, NO_LIMITS } from '../../limits/limits.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';
import { usedLimits } from '../../posting/used-limits.js';

/** The limits of an account, and how much of each is used. */
export interface LimitsInUse {
  readonly limits: Limits;
  /** Null where nothing is counted: for a limit of one order, and before any limit was set. */
  readonly used: Limits;
}

/** Reads what an account may risk, and how much of it is in use. */
export class ReadLimits {
  constructor(
    private readonly ledger: Ledger,
    private readonly context: Pick<OrderContext, 'clock' | 'dayOf'>,
  ) {}

  /** On paper, or with real money: each is counted by itself. */
  execute(account: AccountId, paper: boolean): Promise<LimitsInUse> {
    return this.ledger.read({ account, risks: paper ? 'paper' : 'live' }, (now) => {
      const { limits } = now.account;
      if (limits === undefined) return { limits: NO_LIMITS, used: NO_LIMITS };
      const at = this.context.clock.now();
      return { limits, used: usedLimits(now.positions(paper), now.balances(paper), at, dayIn(this.context, at)) };
    });
  }
}
