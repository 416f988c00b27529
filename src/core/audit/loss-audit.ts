import type { Ledger } from '../../ports/ledger.js';
import type { EventType } from '../ledger/event-log.js';
import type { DayStart, LossMarks, LossRecord } from '../limits/counted.js';
import {
  type ByDay,
  drawdownOf,
  isWithin,
  type MeasuredFrom,
  marksOf,
  onDay,
  recordOf,
  withDay,
} from '../limits/counted.js';
import { type BooksKey, compared, type Finding } from './books-audit.js';

const TYPES: readonly EventType[] = ['losses.measured'];
/** Events that one query looks at, of whatever kind. */
const AT_ONCE = 1000;

/** What the log of an account records of the marks from which its losses are measured, for one kind of money. */
export interface RecordedLosses {
  /** Undefined where the log has no record, or no longer has one. */
  readonly last: LossRecord | undefined;
  /** The days that are still kept, as far as the log records them. */
  readonly days: ByDay<DayStart>;
}

/** Reads it, to the end. */
export class LossReading implements RecordedLosses {
  last: LossRecord | undefined;
  days: ByDay<DayStart> = [];
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
        if (subject.kind === 'losses' && subject.measured.paper === paper) this.#take(subject.measured);
    }
    this.#seq = range.last;
  }

  /** Takes a record of the day that was written last. If that is an earlier known day, the known days were given up in between. */
  #take(record: LossRecord): void {
    this.last = record;
    const { day, start } = record;
    const known = onDay(this.days, day);
    if (day === '') this.days = [];
    else if (known === undefined) this.days = withDay(this.days, { day, start });
    else if (known.start !== start || known !== this.days.at(-1)) this.days = [{ day, start }];
  }
}

/**
 * Compares the marks from which losses are measured with the log: the last day, the gain at its start and at those of the days
 * before, and the peak, which the log records to a tenth of the allowed drawdown.
 */
export function auditLosses(account: MeasuredFrom, { last: recorded, days }: RecordedLosses): readonly Finding[] {
  if (recorded === undefined) return [];
  const marks = marksOf(account.losses, recorded.paper);
  const earlier = earlierDays({ days });
  const found = recordOf(marks, recorded.paper);
  const isPeak = isWithin({ ...recorded, peak: marks.peak }, recorded, drawdownOf(account));
  const isLess = (marks.peak ?? 0n) < (recorded.peak ?? 0n);
  return [
    ...(found.day === recorded.day ? [] : [otherDay(found.day, recorded.day)]),
    ...compared('losses', null, 'The gain at the start of the day', found.start, recorded.start, BY_LOG),
    ...earlierDays(marks).flatMap(({ day, start }) => {
      const due = onDay(earlier, day)?.start ?? start;
      return compared('losses', null, `The gain at the start of ${day}`, start, due, BY_LOG);
    }),
    ...(isPeak && !isLess
      ? []
      : compared('losses', null, 'The peak of the gain', marks.peak ?? -1n, recorded.peak ?? -1n, BY_LOG)),
  ];
}

const earlierDays = ({ days }: Pick<LossMarks, 'days'>): ByDay<DayStart> => days.slice(0, -1);

const BY_LOG = 'by the log of the account';

function otherDay(found: string, expected: string): Finding {
  const [is, due] = [found, expected].map((day) => (day === '' ? 'none' : day));
  const message = `The day of which losses are measured: on record ${is}, ${BY_LOG} ${due}.`;
  return { check: 'losses', about: null, found: null, expected: null, message };
}
