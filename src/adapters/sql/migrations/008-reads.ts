/**
 * Indexes for periodic reads across all accounts, so that a read costs in proportion to its answer and not to the history.
 * Orders enter the first only with their result; the indexed columns of the others never change, so fills do not touch them.
 */
export function readsSchema(): readonly string[] {
  return [
    'drop index orders_settled',
    `create index orders_settled_by_day on orders (substr(settled_at, 1, 10), market_id, settled_at)
      where settled_at is not null`,
    'create index positions_on_paper on positions (account, strategy_id, market_id, token) where paper',
    'create index positions_with_money on positions (account, strategy_id, market_id, token) where not paper',
  ];
}
