import type { AccountId, OrderId } from '../../core/ids.js';
import type { Basis, Fill } from '../../core/order/fill.js';
import { as, group, microColumn, orNull, type Shape, textColumn, wholeColumn } from './columns.js';
import { rows, table } from './table.js';

/** A fill, its account and order, and its number within the order, from 1. */
export interface OrderFill {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly n: number;
  readonly fill: Fill;
}

const NUMBERED: Shape<Pick<OrderFill, 'n' | 'fill'>> = {
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
};

/** The fills of orders; only their finality ever changes. */
export const FILLS = table<OrderFill>(
  'fills',
  { account: textColumn(), orderId: textColumn(), ...NUMBERED },
  { key: ['account', 'order_id', 'trade_id'], replaces: ['settlement'] },
);

/** The same as they are read with their order, whose names would only be repeated. */
export const NUMBERED_FILLS = rows('fills', NUMBERED);
