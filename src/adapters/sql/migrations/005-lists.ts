/**
 * An index for each list filter that had none: a page reads in proportion to its size, even if the filter matches little.
 * All are partial, some by a condition that holds for every order, so that a query selects each by its condition and none is
 * used instead of the primary key. The indexed columns of orders never change: only placing an order writes there.
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
