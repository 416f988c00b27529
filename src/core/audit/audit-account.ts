import type { LossRecord } from '../limits/loss-marks.js';
import type { Venues } from '../venues/venues.js';
import { auditBooks, type BooksOnRecord, type Finding } from './books-audit.js';
import type { JournalReading } from './journal-reading.js';
import { auditLosses } from './loss-audit.js';
import { auditCounted, auditRisks } from './risk-audit.js';
import type { Unbooked } from './unbooked.js';

/** Everything that is wrong in the books of one account, paper or live, as they were read; histories of orders apart. */
export function auditAccount(
  journal: JournalReading,
  books: BooksOnRecord,
  unbooked: Unbooked,
  recorded: LossRecord | undefined,
  venues: Pick<Venues, 'isLocal'>,
): readonly Finding[] {
  const { balances, positions, parts, working, measured } = books;
  const counts = measured.limits !== undefined;
  return [
    ...auditBooks(journal.sums, books, venues),
    ...(counts ? [...auditRisks(positions, working), ...auditCounted(balances, positions, journal.spending)] : []),
    ...auditLosses(measured, recorded),
    ...journal.fills.findings,
    ...unbooked.findings(journal),
    ...journal.shares.audit(positions, parts, unbooked.shares),
  ];
}
