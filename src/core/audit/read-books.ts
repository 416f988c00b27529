import type { Ledger } from '../../ports/ledger.js';
import { openBalance } from '../account/account.js';
import type { Position } from '../account/position.js';
import type { StrategyId } from '../ids.js';
import { type BalanceCursor, type Page, type PositionCursor, slices } from '../ledger/query.js';
import { NO_USDC } from '../money.js';
import type { OrderStatus } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { noExposure } from '../strategy/strategy.js';
import type { BooksOnRecord } from './books-audit.js';

/** The public statuses of orders that may still trade. */
const WORKING: readonly OrderStatus[] = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'];

/** Reads what an account has on record, with the parts of these strategies; one read after another, so not of one moment. */
export async function readBooks(
  ledger: Ledger,
  owner: BalanceCursor,
  strategies: readonly StrategyId[],
): Promise<BooksOnRecord> {
  const { account, paper } = owner;
  const balance = await ledger.findBalance(account, paper);
  const positions = await positionsOf(ledger, owner, null);
  const parts: Position[] = [];
  for (const id of strategies) parts.push(...(await positionsOf(ledger, owner, id)));
  return {
    balance: balance ?? openBalance(account, paper, NO_USDC),
    ...{ positions, parts },
    working: await workingOrders(ledger, owner),
    exposures: strategies.length === 0 ? [] : await exposuresOf(ledger, owner, strategies),
  };
}

async function positionsOf(ledger: Ledger, { account, paper }: BalanceCursor, strategyId: StrategyId | null) {
  const all: Position[] = [];
  const read = (page: Page<PositionCursor>) => ledger.listPositions(account, { paper, strategyId }, page);
  for await (const found of slices(read, (position): PositionCursor => position)) all.push(...found);
  return all;
}

async function workingOrders(ledger: Ledger, { account, paper }: BalanceCursor): Promise<readonly Order[]> {
  const all: Order[] = [];
  for (const status of WORKING) {
    const read = (page: Page<Order['id']>) => ledger.listOrders(account, { status, paper }, page);
    for await (const found of slices(read, (order) => order.id)) all.push(...found);
  }
  return all;
}

/** Only a snapshot tells them. */
function exposuresOf(ledger: Ledger, { account, paper }: BalanceCursor, strategies: readonly StrategyId[]) {
  return ledger.read({ account, strategies }, (now) =>
    strategies.map((id) => now.exposure(id, paper) ?? noExposure({ account, id }, paper)),
  );
}
