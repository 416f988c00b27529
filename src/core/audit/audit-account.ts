import type { Venues } from '../venues/venues.js';
import { auditBooks, type BooksOnRecord, type Finding } from './books-audit.js';
import { auditOrderCounts, type CountsReading } from './counts-audit.js';
import { auditLosses, type RecordedLosses } from './loss-audit.js';
import type { JournalReading } from './read-books.js';
import { auditCounted, auditKeptRisks, auditPartRisks, auditRisks } from './risk-audit.js';
import type { Unbooked } from './unbooked.js';

/** Everything that is wrong in the books of one account, paper or live, as they were read; order histories are not included. */
export function auditAccount(
  journal: JournalReading,
  books: BooksOnRecord,
  unbooked: Unbooked,
  orders: CountsReading,
  recorded: RecordedLosses,
  venues: Pick<Venues, 'isLocal'>,
): readonly Finding[] {
  const { positions, parts, working, measured, exposures, resets } = books;
  const counts = measured.limits !== undefined;
  return [
    ...auditBooks(journal.sums, books, venues),
    ...(counts
      ? [...auditRisks(positions, working), ...auditCounted(books, journal.shares.isInTurn ? journal.spending : null)]
      : auditKeptRisks(positions, working)),
    ...exposures.flatMap((exposure) => auditPartRisks(exposure, parts, working)),
    ...exposures.flatMap((exposure) => auditOrderCounts(exposure, resets, orders)),
    ...auditLosses(measured, recorded),
    ...journal.fills.findings,
    ...unbooked.findings(journal),
    ...journal.shares.audit(positions, parts, unbooked.positions),
  ];
}
