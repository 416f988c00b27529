import type { TradingRecord } from '../../core/ledger/event-log.js';
import type { Trading } from '../../core/trading/state.js';
import { tradingIn, tradingStateIn, tradingText } from '../../core/trading/state.js';
import { type Column, document, orAbsent, textColumn, wholeColumn } from './columns.js';
import { table } from './table.js';

/** What was set about the trading of an account; null where nothing ever was. */
export const tradingColumn = (): Column<Trading | undefined> => orAbsent(document(tradingText, tradingIn));

/** Every state of trading that was set. */
export const TRADING_HISTORY = table<TradingRecord>(
  'trading_history',
  { account: textColumn(), seq: wholeColumn(), state: document(tradingText, tradingStateIn) },
  { key: ['account', 'seq'], replaces: 'nothing' },
);
