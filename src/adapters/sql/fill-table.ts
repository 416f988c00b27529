import type { AccountId, OrderId } from '../../core/ids.js';
import type { Basis, Fill } from '../../core/order/fill.js';
import { as, group, micro, orNull, text, whole } from './columns.js';
import { table } from './table.js';

/** A fill, whose it is, and which of its order's fills: the first is 1. */
export interface OrderFill {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly n: number;
  readonly fill: Fill;
}

/** The fills of orders; only whether one is final ever changes. */
export const FILLS = table<OrderFill>(
  'fills',
  {
    account: text(),
    orderId: text(),
    n: whole(),
    fill: group<Fill>({
      tradeId: text(),
      shares: micro(),
      price: micro(),
      notional: micro(),
      fee: micro(),
      liquidity: text(),
      settlement: text(),
      model: orNull(text()),
      basis: group<Basis>({
        cost: as('basis_cost', micro()),
        strategyShares: as('basis_strategy_shares', micro()),
        strategyCost: as('basis_strategy_cost', micro()),
      }),
    }),
  },
  { key: ['account', 'order_id', 'trade_id'], replaces: ['settlement'] },
);
