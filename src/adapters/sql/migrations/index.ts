import type { Dialect } from '../columns.js';
import type { RunStatement } from '../store.js';
import { schema } from './001-schema.js';
import { bets } from './002-bets.js';
import { betSums } from './003-bet-sums.js';
import { listIndexes } from './004-list-indexes.js';
import { marketPrices } from './005-market-prices.js';
import { droppedIndexes } from './006-dropped-indexes.js';
import { betProfits } from './007-bet-profits.js';
import { betOrders } from './008-bet-orders.js';

/** One migration. Its name never changes, nor do its statements once released. */
export interface Migration {
  readonly name: string;
  readonly up: (dialect: Dialect['name']) => readonly string[];
  /** Computes, after its statements, what these cannot of the rows that are there; a new database has none. */
  readonly rows?: (run: RunStatement) => Promise<void>;
}

/** Every step, in order. Each later change of the schema is one more. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001_schema', up: schema },
  { name: '002_bets', up: bets },
  { name: '003_bet_sums', up: betSums },
  { name: '004_list_indexes', up: listIndexes },
  { name: '005_market_prices', up: marketPrices },
  { name: '006_dropped_indexes', up: droppedIndexes },
  { name: '007_bet_profits', up: betProfits },
  { name: '008_bet_orders', up: betOrders },
];
