import { cashOf } from '../account/account.js';
import { balanced, type JournalEntry, type JournalLine, line } from '../account/journal.js';
import { minus, NO_USDC, plus, proportion, type Usdc } from '../money.js';
import type { Fill } from './fill.js';
import type { Order } from './order.js';

/** The entry that a fill makes; `id` is a new one. */
export function fillEntry(order: Order, fill: Fill, id: string, at: Date): JournalEntry {
  const { account, intent } = order;
  const lines = intent.side === 'BUY' ? purchase(order, fill, fill.notional) : sale(order, fill);
  return balanced({ id, account, ...cashOf(intent), at, cause: 'fill', orderId: order.id, lines });
}

/** The entry that takes a fill back; `cost` is what leaves the position with the shares of an undone purchase. */
export function voidEntry(order: Order, fill: Fill, cost: Usdc, id: string, at: Date): JournalEntry {
  const { account, intent } = order;
  const made = intent.side === 'BUY' ? purchase(order, fill, cost) : sale(order, fill);
  const lines = made.map((one) => ({ ...one, amount: -one.amount as Usdc }));
  return balanced({ id, account, ...cashOf(intent), at, cause: 'void', orderId: order.id, lines });
}

function purchase({ intent }: Order, { notional, fee }: Fill, cost: Usdc): JournalLine[] {
  const { venue, marketId, outcome } = intent;
  const holding: JournalLine = { ledger: 'position', held: { venue, marketId, outcome }, amount: cost };
  const gain = line('realised', minus(notional, cost));
  return [holding, line('fees', fee), line('cash', -plus(notional, fee) as Usdc), gain];
}

function sale({ intent }: Order, { notional, fee, basis }: Fill): JournalLine[] {
  const { venue, marketId, outcome } = intent;
  const holding: JournalLine = { ledger: 'position', held: { venue, marketId, outcome }, amount: -basis.cost as Usdc };
  return [
    line('cash', minus(notional, fee)),
    line('fees', fee),
    holding,
    line('realised', minus(basis.cost, notional)),
  ];
}

/** What a sale earned for the strategy's part of the position, which may hold fewer shares than were sold. */
export function shareOfPart({ shares, notional, fee, basis }: Fill): { readonly proceeds: Usdc; readonly fee: Usdc } {
  if (basis.strategyShares === 0n) return { proceeds: NO_USDC, fee: NO_USDC };
  return {
    proceeds: proportion(notional, basis.strategyShares, shares, 'floor'),
    fee: proportion(fee, basis.strategyShares, shares, 'ceil'),
  };
}
