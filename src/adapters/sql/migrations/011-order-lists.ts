const KIND = `status || '/' || case when paper then 'paper' else 'money' end`;

/**
 * Indexes for lists of orders by several filters at once. Each is of one text, of the status, the paper flag, and the strategy
 * or the venue, so that the orders that meet a combination are one part of an index, or a few. An order is in as many indexes as
 * before: those by the status, by the strategy and by the paper flag alone are replaced. None is by market and status: with
 * orders in a thousand markets, it would cost more than any other. Filters beside a market, and a venue beside a strategy, are
 * looked up in the index, and not in each order.
 */
export function orderListsSchema(): readonly string[] {
  return [
    'drop index orders_on_paper',
    'drop index orders_with_money',
    'drop index orders_by_status',
    'drop index orders_by_strategy',
    'drop index orders_by_market',
    `create index orders_by_status on orders ((${KIND}), account, id)`,
    `create index orders_by_strategy on orders ((strategy_id || '/' || ${KIND}), account, id, venue)
      where strategy_id is not null`,
    `create index orders_by_venue on orders ((venue || '/' || ${KIND}), account, id)`,
    'create index orders_by_market on orders (market_id, account, id, status, paper, strategy_id, venue)',
  ];
}
