import type { Venues } from '../venues/venues.js';
import { auditBooks, type BooksOnRecord, type Finding } from './books-audit.js';
import type { JournalReading } from './journal-reading.js';
import { auditCounted, auditRisks } from './risk-audit.js';
import type { Unbooked } from './unbooked.js';

/** Everything that is wrong in the books of one account, paper or live, as they were read; histories of orders apart. */
export function auditAccount(
  journal: JournalReading,
  books: BooksOnRecord,
  unbooked: Unbooked,
  venues: Pick<Venues, 'isLocal'>,
): readonly Finding[] {
  const { balances, positions, parts, working, hasLimits } = books;
  return [
    ...auditBooks(journal.sums, books, venues),
    ...(hasLimits ? [...auditRisks(positions, working), ...auditCounted(balances, positions)] : []),
    ...journal.fills.findings,
    ...unbooked.findings(journal),
    ...journal.shares.audit(positions, parts, unbooked.shares),
  ];
}
