import { GAME } from '../adapters/polymarket/execution/exchange-fixture.js';
import { remaining } from '../support/fake-venue/orders.js';
import type { TradeStatus, VenueTrade } from '../support/fake-venue/trades.js';
import { sum } from '../support/fake-venue/wire.js';
import type { Fixture } from '../support/live-trader.js';
import { WALLET } from './story-end.js';

/** Moves a trade on as the venue may: what is final stays, and what the wallet has spent since cannot be undone. */
export function settle(fixture: Fixture, trade: VenueTrade | undefined, to: TradeStatus): void {
  const isOver = trade === undefined || trade.status === 'CONFIRMED' || trade.status === 'FAILED';
  if (!isOver && (to !== 'FAILED' || mayFail(fixture, trade))) fixture.venue.settle(trade, to);
}

/** Whether the wallet still has what the trade brought, beside what is promised to its open orders. */
function mayFail({ account, venue }: Fixture, trade: VenueTrade): boolean {
  const { accounts, open } = venue.state.engine;
  if (!trade.moved) return true;
  const sales = open.filter(({ maker, side }) => maker === WALLET && side === 'SELL');
  const onSale = (token: string) => sum(sales.filter((sale) => sale.token === token).map(remaining));
  accounts.move(trade, -1n);
  const isWhole = account.collateral >= 0n && GAME.tokens.every((token) => account.balanceOf(token) >= onSale(token));
  accounts.move(trade, 1n);
  return isWhole;
}
