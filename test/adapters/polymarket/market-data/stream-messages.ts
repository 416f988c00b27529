import type { MarketId } from '../../../../src/core/ids.js';
import { type Market, unlistedMarket } from '../../../../src/core/market/market.js';

export type Rows = readonly (readonly [price: string, size: string])[];

/** A market of two teams, whose tokens are `<name>-first` and `<name>-second`. */
export function aGame(name: string): Market {
  const id = `0x${name}` as MarketId;
  const outcomes = [
    { label: 'Bucks', tokenId: `${name}-first` },
    { label: 'Thunder', tokenId: `${name}-second` },
  ] as const;
  return { ...unlistedMarket(id), conditionId: id, outcomes };
}

const levels = (rows: Rows) => rows.map(([price, size]) => ({ price, size }));

/** The whole book of a token, as the venue sends it. */
export function bookOf(token: string, bids: Rows, asks: Rows, timestamp = '1000'): object {
  const head = { event_type: 'book', asset_id: token, market: marketOf(token), timestamp, hash: '0xb00c' };
  return { ...head, bids: levels(bids), asks: levels(asks), tick_size: '', last_trade_price: '' };
}

/** New totals of levels of one token, and the `best` prices after them when given. */
export function changeOf(token: string, side: 'BUY' | 'SELL', rows: Rows, timestamp = '2000', best = {}): object {
  const extra = { side, hash: '0xc4a4', best_bid: '', best_ask: '', ...best };
  const price_changes = levels(rows).map((level) => ({ asset_id: token, ...level, ...extra }));
  return { event_type: 'price_change', market: marketOf(token), price_changes, timestamp };
}

/** The best prices of one token. */
export function bestOf(token: string, best_bid: string, best_ask: string): object {
  const bests = { best_bid, best_ask, spread: '' };
  return { event_type: 'best_bid_ask', asset_id: token, market: marketOf(token), ...bests, timestamp: '2000' };
}

/** A match in one token. */
export function tradeOf(token: string, side: 'BUY' | 'SELL', price: string, size: string): object {
  const head = { event_type: 'last_trade_price', asset_id: token, market: marketOf(token) };
  return { ...head, price, size, side, fee_rate_bps: '', timestamp: '2000' };
}

/** A new tick, which the venue sends for each token. */
export function tickOf(token: string, tick: string): object {
  const ticks = { old_tick_size: '0.01', new_tick_size: tick };
  return { event_type: 'tick_size_change', asset_id: token, market: marketOf(token), ...ticks, timestamp: '2000' };
}

/** The message that a market is decided. */
export function resolvedOf(name: string): object {
  const assets_ids = [`${name}-first`, `${name}-second`];
  const winner = { winning_asset_id: `${name}-first`, winning_outcome: 'Bucks' };
  return { event_type: 'market_resolved', id: '77', market: `0x${name}`, assets_ids, ...winner, timestamp: '2000' };
}

const marketOf = (token: string): string => `0x${token.split('-')[0]}`;
