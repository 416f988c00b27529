import type { WireOrder } from '../../adapters/http/answers.js';

/** What orders are asked for by, as in the query of their list; an empty text does not restrict. */
export interface OrderAsked {
  readonly paper: string;
  /** Several of them are separated by commas. */
  readonly status: string;
  readonly strategy_id: string;
  readonly placed_after: string;
  readonly placed_before: string;
  /** Empty for the newest first. */
  readonly order: '' | 'oldest';
}

/**
 * The first page of a list of orders with what is known since it was read: newer orders that are asked for come, those that
 * have changed are as they are now, and those that are not asked for any more go.
 */
export function withNews(
  page: { readonly data: readonly WireOrder[]; readonly next_cursor: string | null },
  known: ReadonlyMap<string, WireOrder>,
  asked: OrderAsked,
): readonly WireOrder[] {
  const rows = new Map(page.data.map((order) => [order.id, order]));
  const isUp = asked.order === 'oldest';
  const last = page.next_cursor === null ? null : (page.data.at(-1)?.id ?? null);
  for (const order of known.values())
    if (last === null || (isUp ? order.id <= last : order.id >= last)) rows.set(order.id, order);
  const wanted = [...rows.values()].filter((order) => isAsked(order, asked));
  return wanted.sort((a, b) => (a.id < b.id === isUp ? -1 : 1));
}

function isAsked(order: WireOrder, { paper, status, strategy_id, placed_after, placed_before }: OrderAsked): boolean {
  const at = Date.parse(order.placed_at);
  return (
    `${order.paper}` === paper &&
    (status === '' || status.split(',').includes(order.status)) &&
    (strategy_id === '' || order.strategy_id === strategy_id) &&
    (placed_after === '' || at > Date.parse(placed_after)) &&
    (placed_before === '' || at < Date.parse(placed_before))
  );
}
