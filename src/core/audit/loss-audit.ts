import type { Ledger } from '../../ports/ledger.js';
import type { EventType } from '../ledger/event-log.js';
import type { LossRecord } from '../limits/loss-marks.js';
import { drawdownOf, isWithin, type MeasuredFrom, marksOf, recordOf } from '../limits/loss-record.js';
import { type BooksKey, compared, type Finding } from './books-audit.js';

const TYPES: readonly EventType[] = ['losses.measured'];
/** Events that one query looks at, of whatever kind. */
const AT_ONCE = 1000;

/** Reads in the log of an account what its losses are measured from, of one kind of money, as far as it was read. */
export class LossReading {
  /** The last that the log tells; undefined where it tells nothing, or not any more. */
  last: LossRecord | undefined;
  #seq = 0;

  constructor(
    private readonly ledger: Pick<Ledger, 'log'>,
    private readonly owner: BooksKey,
  ) {}

  /** Reads to the end of the log. */
  async readOn(): Promise<void> {
    const { account, paper } = this.owner;
    const range = await this.ledger.log.range(account);
    if (range === null) return;
    for (let after = Math.max(this.#seq, range.first - 1); after < range.last; after += AT_ONCE) {
      const found = await this.ledger.log.list(
        account,
        { types: TYPES, upTo: after + AT_ONCE },
        { limit: AT_ONCE, after },
      );
      for (const { subject } of found)
        if (subject.kind === 'losses' && subject.measured.paper === paper) this.last = subject.measured;
    }
    this.#seq = range.last;
  }
}

/**
 * Compares what losses are measured from with what the log says: the day, the gain at its start, and the peak, which the log
 * tells to a tenth of the drawdown that is allowed.
 */
export function auditLosses(account: MeasuredFrom, recorded: LossRecord | undefined): readonly Finding[] {
  if (recorded === undefined) return [];
  const marks = marksOf(account.losses, recorded.paper);
  const found = recordOf(marks, recorded.paper);
  const isPeak = isWithin({ ...recorded, peak: marks.peak }, recorded, drawdownOf(account));
  const isLess = (marks.peak ?? 0n) < (recorded.peak ?? 0n);
  return [
    ...(found.day === recorded.day ? [] : [otherDay(found.day, recorded.day)]),
    ...compared('losses', null, 'The gain at the start of the day', found.start, recorded.start, BY_LOG),
    ...(isPeak && !isLess
      ? []
      : compared('losses', null, 'The peak of the gain', marks.peak ?? -1n, recorded.peak ?? -1n, BY_LOG)),
  ];
}

const BY_LOG = 'by the log of the account';

function otherDay(found: string, expected: string): Finding {
  const [is, due] = [found, expected].map((day) => (day === '' ? 'none' : day));
  const message = `The day of which losses are measured: on record ${is}, ${BY_LOG} ${due}.`;
  return { check: 'losses', about: null, found: null, expected: null, message };
}
