import type { AccountId, OrderId } from '../../core/ids.js';
import type { Price, Shares, Usdc } from '../../core/money.js';
import type { Basis, Fill, TakenLevel } from '../../core/order/order.js';
import {
  as,
  type Cell,
  document,
  group,
  microColumn,
  microIn,
  momentIn,
  orAbsent,
  orNull,
  type Shape,
  stamp,
  textColumn,
  textIn,
  wholeColumn,
  wholeIn,
} from './columns.js';
import { partsOf, rows, table } from './table.js';

/** A fill, its account and order, and its number within the order, from 1. */
export interface OrderFill {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly n: number;
  readonly fill: Fill;
}

/** As canonical JSON: micro-units as strings of digits, as in all documents. */
function encodeTaken({ price, shares, displayed, at }: TakenLevel): string {
  return JSON.stringify({ price: `${price}`, shares: `${shares}`, displayed: `${displayed}`, at: stamp(at) });
}

function decodeTaken(json: string): TakenLevel {
  const { price, shares, displayed, at } = JSON.parse(json) as Record<keyof TakenLevel, string>;
  return {
    price: BigInt(price) as Price,
    shares: BigInt(shares) as Shares,
    displayed: BigInt(displayed) as Shares,
    at: momentIn(at),
  };
}

type Numbered = Pick<OrderFill, 'n' | 'fill'>;

const NUMBERED: Shape<Numbered> = {
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
      fees: as('basis_fees', orAbsent(microColumn())),
      strategyFees: as('basis_strategy_fees', orAbsent(microColumn())),
    }),
    taken: orAbsent(document(encodeTaken, decodeTaken)),
  }),
};

/** The fills of orders; only their finality ever changes. */
export const FILLS = table<OrderFill>(
  'fills',
  { account: textColumn(), orderId: textColumn(), ...NUMBERED },
  { key: ['account', 'order_id', 'trade_id'], replaces: ['settlement'] },
);

/** A literal, as an order is read. */
function numberedFillIn(cells: readonly Cell[]): Numbered {
  const [n, tradeId, shares, price, notional, fee, liquidity, settlement, model] = cells;
  const [cost, strategyShares, strategyCost, fees, strategyFees, taken] = cells.slice(9);
  const fill: Fill = {
    tradeId: textIn(tradeId),
    shares: microIn(shares),
    price: microIn(price),
    notional: microIn(notional),
    fee: microIn(fee),
    liquidity: textIn(liquidity),
    settlement: textIn(settlement),
    model: model === null ? null : textIn(model),
    basis: {
      cost: microIn(cost),
      strategyShares: microIn(strategyShares),
      strategyCost: microIn(strategyCost),
      fees: fees == null ? undefined : microIn<Usdc>(fees),
      strategyFees: strategyFees == null ? undefined : microIn<Usdc>(strategyFees),
    },
    taken: taken == null ? undefined : decodeTaken(textIn(taken)),
  };
  return { n: wholeIn(n), fill };
}

/** Fills read with their order, without the columns that name it. */
export const NUMBERED_FILLS = rows('fills', NUMBERED, numberedFillIn);

/** The fills of an order, by their number. */
export const FILLS_OF_ORDER = partsOf(NUMBERED_FILLS, { account: 'account', order_id: 'id' }, (fills) =>
  fills.toSorted((a, b) => a.n - b.n).map(({ fill }) => fill),
);
