import type { Dialect } from './dialect.js';
import { WORKING } from './markets-in-use.js';
import { ORDERS } from './order-table.js';
import { rowsAsText, type Template } from './tables.js';

/** Reads the working sales of parts of strategies, each named by account, paper, market, outcome and strategy. */
export function readingSales(dialect: Dialect): Template {
  const [account, paper, market] = [dialect.member(0, 'text'), dialect.member(1, 'boolean'), dialect.member(2, 'text')];
  const [outcome, strategy] = [dialect.member(3, 'text'), dialect.member(4, 'text')];
  // The market is spelt as in the partial index of the working orders.
  const named = `orders.account = ${account} and orders.paper = ${paper} and (orders.venue || '/' || orders.market_id) = ${market}`;
  const part = `orders.token = ${outcome} and orders.strategy_id = ${strategy} and orders.side = 'SELL'`;
  return (parameter) =>
    `select ${rowsAsText(ORDERS, dialect)} as found from ${dialect.elements(parameter)} cross join orders
      where ${named} and ${part} and ${WORKING}`;
}
