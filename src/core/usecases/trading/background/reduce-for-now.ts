import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { SERVICE, tradingFor } from '../../../account/account.js';
import { endOfReport, isFromAhead, lastsYet } from '../../../alarm/for-now.js';
import { withState } from '../../../trading/state.js';

/** Why this server should not be trusted with new risk for now. */
export interface Doubt {
  readonly code: 'clock_off' | 'feed_silent';
  /** In words, with what was measured. */
  readonly reason: string;
}

/**
 * Lets orders with real money only lower a worst case, in the whole service, while something is wrong with what a server
 * sees. It ends by itself soon after the last call: a server that stops, or another one that sees well, need not lift it.
 */
export class ReduceForNow {
  constructor(
    private readonly ledger: Ledger,
    private readonly wallClock: Clock,
  ) {}

  /** Call at least once a minute while the doubt lasts. @throws StorageUnavailable */
  async execute({ code, reason }: Doubt): Promise<void> {
    await this.ledger.write({ account: SERVICE, logs: [SERVICE] }, ({ account }) => {
      const now = this.wallClock.now();
      const trading = tradingFor(account);
      if (trading.states.some((one) => one.code === code && lastsYet(one, now))) return { result: undefined };
      const until = endOfReport(now);
      const change = { scope: 'service', state: 'reducing', stops: 'live', reason, by: 'service', until } as const;
      return { result: undefined, accounts: [{ ...account, trading: withState(trading, change, now, code).after }] };
    });
  }
  /** A doubt on record that ends too late, because it was reported by a clock that was ahead; null for none. @throws StorageUnavailable */
  async fromAhead(code: Doubt['code']): Promise<Doubt | null> {
    const now = this.wallClock.now();
    const { states } = await this.ledger.read({ account: SERVICE }, ({ account }) => tradingFor(account));
    const found = states.find((one) => one.code === code && isFromAhead(one, now));
    return found === undefined ? null : { code, reason: found.reason };
  }
}
