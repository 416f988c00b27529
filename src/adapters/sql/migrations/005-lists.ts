/**
 * An index for each filter of a list that had none: what a page reads follows from its size, however little the filter
 * matches. All of them are partial, be it by what is true of every order, so that a query finds each by its condition, and
 * none is ever taken for the primary key's. No column of those of orders ever changes: only placing an order writes there.
 */
export function listsSchema(): readonly string[] {
  return [
    'create index orders_on_paper on orders (account, id) where paper',
    'create index orders_with_money on orders (account, id) where not paper',
    'create index orders_by_moment on orders (account, placed_at, id) where price > 0',
    'create index strategies_kept on strategies (account, id) where archived_at is null',
    'create index strategies_by_sport on strategies (sport, account, id) where archived_at is null',
    'create index strategies_paused on strategies (account, id) where archived_at is null and is_paused',
    'create index strategies_running on strategies (account, id) where archived_at is null and not is_paused',
  ];
}
