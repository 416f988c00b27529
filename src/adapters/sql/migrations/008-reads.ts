/**
 * Indexes for what is read of all accounts again and again, so that a read follows from its answer and not from what ever
 * was. Orders enter the first with their result alone; no column of the others ever changes, so that a fill leaves it be.
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
