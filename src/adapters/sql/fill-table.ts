import type { AccountId, OrderId } from '../../core/ids.js';
import type { Price, Shares, Usdc } from '../../core/money.js';
import type { Fill, Liquidity } from '../../core/order/fill.js';
import { amount, type Cell, optional, text, whole } from './cells.js';
import type { Table } from './tables.js';

/** A fill, whose it is, and which of its order's fills: the first is 1. */
export interface OrderFill {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly n: number;
  readonly fill: Fill;
}

/** The fills of orders; only whether one is final ever changes. */
export const FILLS: Table<OrderFill> = {
  name: 'fills',
  columns: {
    account: 'text',
    order_id: 'text',
    trade_id: 'text',
    n: 'integer',
    shares: 'integer',
    price: 'integer',
    notional: 'integer',
    fee: 'integer',
    liquidity: 'text',
    settlement: 'text',
    model: 'text',
    basis_cost: 'integer',
    basis_strategy_shares: 'integer',
    basis_strategy_cost: 'integer',
  },
  key: ['account', 'order_id', 'trade_id'],
  replaced: ['settlement'],
  encode: ({ account, orderId, n, fill }) => {
    const { tradeId, shares, price, notional, fee, liquidity, settlement, model, basis } = fill;
    return [
      ...[account, orderId, tradeId, n],
      ...[Number(shares), Number(price), Number(notional), Number(fee)],
      ...[liquidity, settlement, model],
      ...[Number(basis.cost), Number(basis.strategyShares), Number(basis.strategyCost)],
    ];
  },
  decode: decodeFill,
};

/** A row of `fills`. */
export function decodeFill(cells: readonly Cell[]): OrderFill {
  const [account, orderId, tradeId, n, shares, price, notional, fee, liquidity, settlement, model, ...basis] = cells;
  const [cost, strategyShares, strategyCost] = basis;
  return {
    account: text(account) as AccountId,
    orderId: text(orderId) as OrderId,
    n: whole(n),
    fill: {
      tradeId: text(tradeId),
      shares: amount(shares) as Shares,
      price: amount(price) as Price,
      notional: amount(notional) as Usdc,
      fee: amount(fee) as Usdc,
      liquidity: text(liquidity) as Liquidity,
      settlement: text(settlement) as Fill['settlement'],
      model: optional(model, text),
      basis: {
        cost: amount(cost) as Usdc,
        strategyShares: amount(strategyShares) as Shares,
        strategyCost: amount(strategyCost) as Usdc,
      },
    },
  };
}
