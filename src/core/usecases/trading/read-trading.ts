import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import { SERVICE, stateOfHalt, tradingFor } from '../../account/account.js';
import type { AccountId } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import type { TradingRecord } from '../../ledger/trading-history.js';
import { isInForce, strictest, type TradingMode, type TradingState } from '../../trading/state.js';

/** What holds for an account now. */
export interface TradingNow {
  /** What an order with real money meets that names no strategy, in a market without a sport. */
  readonly effective: TradingMode;
  /** Every state in force, those that hold for every account first. */
  readonly states: readonly TradingState[];
}

/** Reads what was set about trading, and what was set before. */
export class ReadTrading {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallClock: Clock,
  ) {}

  async now(account: AccountId): Promise<TradingNow> {
    const at = this.wallClock.now();
    return this.ledger.read({ account, service: true }, ({ account: own, service = own }) => {
      const halts = own.halt === null ? [] : [stateOfHalt(own.halt)];
      const all = [...tradingFor(service).states, ...halts, ...tradingFor(own).states];
      const states = all.filter((one) => isInForce(one, at));
      const whole = states.filter(({ scope }) => scope === 'service' || scope === 'account');
      return { effective: strictest(whole)?.state ?? 'active', states };
    });
  }

  /** Newest first: of the account, or of what holds for every account. */
  history(whose: AccountId | 'service', page: Page<number>): Promise<Slice<TradingRecord, number>> {
    const account = whose === 'service' ? SERVICE : whose;
    return slice(
      page,
      (asked) => this.ledger.log.trading(account, asked),
      ({ seq }) => seq,
    );
  }
}
