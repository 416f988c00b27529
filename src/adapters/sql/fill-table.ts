import type { AccountId, OrderId } from '../../core/ids.js';
import type { Basis, Fill } from '../../core/order/fill.js';
import { as, group, microColumn, orNull, textColumn, wholeColumn } from './columns.js';
import { table } from './table.js';

/** A fill, its account and order, and its number within the order, from 1. */
export interface OrderFill {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly n: number;
  readonly fill: Fill;
}

/** The fills of orders; only their finality ever changes. */
export const FILLS = table<OrderFill>(
  'fills',
  {
    account: textColumn(),
    orderId: textColumn(),
    n: wholeColumn(),
    fill: group<Fill>({
      tradeId: textColumn(),
      shares: microColumn(),
      price: microColumn(),
      notional: microColumn(),
      fee: microColumn(),
      liquidity: textColumn(),
      settlement: textColumn(),
      model: orNull(textColumn()),
      basis: group<Basis>({
        cost: as('basis_cost', microColumn()),
        strategyShares: as('basis_strategy_shares', microColumn()),
        strategyCost: as('basis_strategy_cost', microColumn()),
      }),
    }),
  },
  { key: ['account', 'order_id', 'trade_id'], replaces: ['settlement'] },
);
