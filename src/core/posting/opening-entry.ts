import type { Balance } from '../account/account.js';
import { balanced, type JournalEntry, line } from '../account/journal.js';
import type { Usdc } from '../money.js';
import type { OrderContext } from './order-context.js';

/** The entry that books a paper account's opening cash; null where there is none. */
export function openingEntry(
  context: Pick<OrderContext, 'ids'>,
  { account, paper, venue, cash }: Balance,
  at: Date,
): JournalEntry | null {
  if (cash === 0n) return null;
  const lines = [line('cash', cash), line('capital', -cash as Usdc)];
  return balanced({ id: context.ids.next(), account, paper, venue, at, cause: 'opening', orderId: null, lines });
}
