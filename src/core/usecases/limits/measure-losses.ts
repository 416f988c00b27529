import type { Ledger } from '../../../ports/ledger.js';
import type { Snapshot } from '../../ledger/decision.js';
import { NO_LIMITS } from '../../limits/limits.js';
import { type EquityMark, gainBy, limitsLosses } from '../../limits/loss-marks.js';
import { bookedOf, type MeasuredAccount, measureLosses } from '../../posting/measured-losses.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';
import type { MarkEquity, MarkedHolder } from './mark-equity.js';

/** A mark, whose money it is of, and the clocks by which it counts. */
interface Measuring {
  readonly paper: boolean;
  readonly mark: EquityMark;
  readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>;
}

/** What was found. Where money was booked since the mark, part of it may count twice: nothing of that is put on record. */
export interface MeasuredNow extends MeasuredAccount {
  readonly isExact: boolean;
}

/** The account of a snapshot after its equity was measured, by a mark and by what is booked now. */
export function measuredNow(now: Snapshot, { paper, mark, context }: Measuring): MeasuredNow {
  const { account } = now;
  const { limits = NO_LIMITS } = account;
  if (!limitsLosses(limits)) return { account, refusal: null, isExact: true };
  const booked = bookedOf(now.balances(paper));
  const isExact = booked === mark.booked;
  const today = dayIn(context, context.clock.now());
  const measurement = { paper, gain: gainBy(mark, booked), today, at: context.wallClock.now() };
  const found = measureLosses(account, limits, measurement);
  return { account: isExact ? found.account : account, refusal: found.refusal, isExact };
}

/** While the account trades this fast, its orders measure it. */
const ATTEMPTS = 3;

/** Measures the equity of an account whose losses are limited, and puts on record what that changes. */
export class MeasureLosses {
  constructor(
    private readonly ledger: Ledger,
    private readonly marks: Pick<MarkEquity, 'now'>,
    private readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>,
  ) {}

  /** False where the equity cannot be marked now. @throws StorageUnavailable */
  async execute(holder: MarkedHolder): Promise<boolean> {
    const { account, paper } = holder;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mark = await this.marks.now(holder);
      if (mark === null) return false;
      const measure = (now: Snapshot) => measuredNow(now, { paper, mark, context: this.context });
      // Most of the time nothing changes: then nothing is locked.
      const isNews = await this.ledger.read({ account }, (now) => {
        const found = measure(now);
        return found.isExact ? found.account !== now.account : null;
      });
      if (isNews === false) return true;
      if (isNews === null) continue;
      const isDone = await this.ledger.write({ account }, (now) => {
        const found = measure(now);
        return { result: found.isExact, accounts: found.account === now.account ? [] : [found.account] };
      });
      if (isDone) return true;
    }
    return true;
  }
}
