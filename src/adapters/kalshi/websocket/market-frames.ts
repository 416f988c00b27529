import * as v from 'valibot';
import type { BookSide, Level, LevelChange } from '../../../core/market/event.js';
import type { Side } from '../../../core/market/side.js';
import type { Price, Shares } from '../../../core/money.js';
import { FrameMalformed } from '../../transport/websocket-session.js';
import { boundedText } from '../../venue/wire-types.js';
import { contractCount, signedContractCount, wirePrice } from '../http/fixed-point.js';

const ticker = v.pipe(boundedText, v.nonEmpty());
const levels = v.nullish(v.array(v.tuple([wirePrice, contractCount])), []);

/** The names of the socket, which are not those of REST (K11); either side may be missing, and both of an empty book. */
const snapshot = v.pipe(
  v.looseObject({ market_ticker: ticker, yes_dollars_fp: levels, no_dollars_fp: levels }),
  v.check((row) => hasNoOtherLevels(row), 'levels by other names'),
);
const delta = v.object({
  market_ticker: ticker,
  price_dollars: wirePrice,
  delta_fp: signedContractCount,
  side: v.picklist(['yes', 'no']),
});
const trade = v.object({
  market_ticker: ticker,
  yes_price_dollars: wirePrice,
  count_fp: contractCount,
  taker_book_side: v.picklist(['bid', 'ask']),
});
const blockTrade = v.object({ is_block_trade: v.literal(true) });

/** A book without levels of these names, and with a list of another, is no empty book. */
function hasNoOtherLevels({ yes_dollars_fp, no_dollars_fp, ...others }: Readonly<Record<string, unknown>>): boolean {
  const isEmpty = [yes_dollars_fp, no_dollars_fp].every((side) => !Array.isArray(side) || side.length === 0);
  return !isEmpty || !Object.values(others).some(Array.isArray);
}

/** The whole book of a market, in prices of its first outcome. */
export interface SnapshotFrame {
  readonly ticker: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** By how many contracts one level changes. */
export interface DeltaFrame {
  readonly ticker: string;
  readonly side: BookSide;
  readonly price: Price;
  readonly change: Shares;
}

/** A trade on the book; null for one that was made beside it. */
export interface TradeFrame {
  readonly ticker: string;
  readonly price: Price;
  readonly shares: Shares;
  readonly taker: Side;
}

const levelOf = ([price, shares]: readonly [Price, Shares]): Level => ({ price, shares });

/** Reads a snapshot that was asked for in prices of the first outcome: those of the second need no turning over. @throws FrameMalformed */
export function readSnapshot(msg: unknown): SnapshotFrame {
  const { market_ticker, yes_dollars_fp, no_dollars_fp } = parsed(snapshot, msg);
  return { ticker: market_ticker, bids: yes_dollars_fp.map(levelOf), asks: no_dollars_fp.map(levelOf) };
}

/** Reads a change of a level, in prices of the first outcome. @throws FrameMalformed */
export function readDelta(msg: unknown): DeltaFrame {
  const { market_ticker, price_dollars, delta_fp, side } = parsed(delta, msg);
  return { ticker: market_ticker, side: side === 'yes' ? 'bids' : 'asks', price: price_dollars, change: delta_fp };
}

/** Reads a trade. @throws FrameMalformed */
export function readTrade(msg: unknown): TradeFrame | null {
  if (v.is(blockTrade, msg)) return null;
  const { market_ticker, yes_price_dollars, count_fp, taker_book_side } = parsed(trade, msg);
  const taker = taker_book_side === 'bid' ? 'BUY' : 'SELL';
  return { ticker: market_ticker, price: yes_price_dollars, shares: count_fp, taker };
}

/** The level after a change; null where the change cannot be of the book as it is known: a step was lost. */
export function changedLevel(before: Shares, { side, price, change }: DeltaFrame): LevelChange | null {
  const shares = (before + change) as Shares;
  return shares < 0n ? null : { side, price, shares };
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, msg: unknown): T {
  const read = v.safeParse(schema, msg);
  if (!read.success) throw new FrameMalformed('a message about a market has an unknown shape');
  return read.output;
}
