import { register } from 'node:module';
import { SqlLedger } from '../../dist/adapters/sql/sql-ledger.js';

/** The server runs its modules, of which one is changed below, and not their bundle. */
const modules = new URL('../../test/support/program-modules.mjs', import.meta.url).href;
const resolve = `(name, context, next) => next(name === './program/program.js' ? '${modules}' : name, context)`;
register(`data:text/javascript,export const resolve = ${encodeURIComponent(resolve)};`);

/** Orders are read once, and given from memory from then on: what a read costs without the database. */
const { listOrders } = SqlLedger.prototype;
const PAGE = 51;
let kept;

SqlLedger.prototype.listOrders = function list(account) {
  kept ??= listOrders.call(this, account, {}, { limit: PAGE });
  return kept;
};
SqlLedger.prototype.findOrder = async function find(account) {
  const [order] = await this.listOrders(account);
  return order;
};
await import('../../dist/server/main.js');
