import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import { dayIn, gainBy, type KeptLosses, lostSince, measured } from '../../limits/counted.js';
import { type Limits, NO_LIMITS } from '../../limits/limits.js';
import { type RiskGroup, riskGroupOf } from '../../limits/risk.js';
import type { MarketRef } from '../../market/market.js';
import { lossKind, usedLimits } from '../../posting/account-limits.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { MarkEquity } from './mark-equity.js';

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
    private readonly marks: Pick<MarkEquity, 'now'>,
    private readonly context: Pick<OrderContext, 'clock' | 'dayOf'>,
  ) {}

  /** On paper, or with real money: each is counted by itself. */
  async execute(account: AccountId, paper: boolean): Promise<LimitsInUse> {
    const { losses, ...inUse } = await this.#counted(account, paper);
    if (losses === undefined) return inUse;
    const mark = await this.marks.now({ account, paper });
    if (mark === null) return inUse;
    const gain = gainBy(mark, mark.booked);
    const today = dayIn(this.context, this.context.clock.now());
    const lost = lostSince(measured(losses[lossKind(paper)], gain, today, inUse.limits), today, gain);
    const used = (name: keyof typeof lost) => (inUse.limits[name] === null ? null : lost[name]);
    const inUseNow = { dailyLossUsdc: used('dailyLossUsdc'), drawdownUsdc: used('drawdownUsdc') };
    return { ...inUse, used: { ...inUse.used, ...inUseNow } };
  }

  #counted(account: AccountId, paper: boolean): Promise<LimitsInUse & { readonly losses?: KeptLosses | undefined }> {
    return this.ledger.read({ account, risks: [{ paper, strategyId: null }] }, (now) => {
      const { limits, losses } = now.account;
      if (limits === undefined) return { limits: NO_LIMITS, used: NO_LIMITS };
      const at = this.context.clock.now();
      const used = usedLimits(now.risks({ paper, strategyId: null }), now.balances(paper), at, dayIn(this.context, at));
      return { limits, used, losses };
    });
  }
}

/** The risk group of a market, read in the share of the account; null where it cannot be looked up. */
export async function marketGroup(
  markets: Pick<MarketDirectory, 'find'>,
  { venue, marketId }: MarketRef,
  account: AccountId,
): Promise<RiskGroup | null> {
  try {
    const market = await markets.find({ venue, marketId }, { account, purpose: 'order' });
    return market === undefined ? null : riskGroupOf(market);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
