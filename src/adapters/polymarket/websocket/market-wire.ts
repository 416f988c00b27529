import * as v from 'valibot';
import { AmountMalformed } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import { mirrored } from '../../../core/market/book.js';
import type { BookSide, Level, MarketChange } from '../../../core/market/event.js';
import type { OutcomeSide } from '../../../core/market/market.js';
import { NO_SHARES, type Price } from '../../../core/money.js';
import { FrameMalformed } from '../../transport/websocket-session.js';
import { priceIn, sharesIn } from '../../venue/decimals.js';
import { wireTimestamp } from '../../venue/wire-types.js';
import { type BestPrices, wireBest } from './best-wire.js';

const side = v.picklist(['BUY', 'SELL']);
const level = v.object({ price: v.string(), size: v.string() });

/** The members that all messages of the market channel share (`polymarket.md` 5); undefined when not a text. */
const envelopeMessage = v.object({
  event_type: v.fallback(v.optional(v.string()), undefined),
  market: v.fallback(v.optional(v.string()), undefined),
  asset_id: v.fallback(v.optional(v.string()), undefined),
});

/** The whole book of one token. A missing tick comes as an empty text, or not at all. */
const bookMessage = v.object({
  asset_id: v.string(),
  bids: v.array(level),
  asks: v.array(level),
  timestamp: wireTimestamp,
  tick_size: v.fallback(v.string(), ''),
});

const best = v.fallback(v.string(), '');

/** New totals of single levels, of one token or of both, and the best prices after them. */
const priceChangeMessage = v.object({
  price_changes: v.array(
    v.object({ asset_id: v.string(), price: v.string(), size: v.string(), side, best_bid: best, best_ask: best }),
  ),
  timestamp: wireTimestamp,
});

/** The best prices of one token. */
const bestMessage = v.object({
  asset_id: v.fallback(v.string(), ''),
  best_bid: best,
  best_ask: best,
  timestamp: wireTimestamp,
});

/** A match; `side` is what the incoming order did with this token. */
const tradeMessage = v.object({ asset_id: v.string(), price: v.string(), size: v.string(), side });

/** The tick changed. */
const tickMessage = v.object({ asset_id: v.string(), new_tick_size: v.string() });

/** A market is reported as decided. */
const resolvedMessage = v.object({ market: v.string() });

/** Where a token of the venue belongs. */
export interface TokenRoute {
  readonly market: MarketId;
  readonly outcome: OutcomeSide;
}

/** The followed markets; messages about other markets are left out. */
export interface Routes {
  route(tokenId: string): TokenRoute | undefined;
  follows(conditionId: string): boolean;
}

type Change<Type extends MarketChange['type']> = Extract<MarketChange, { type: Type }>;
/** When the venue sent it, in milliseconds since 1970; null when it did not say. */
type Sent = { readonly sentAt: number | null };

/** The content of one message about one market, in terms of its first outcome. */
export type MarketUpdate = { readonly market: MarketId } & (
  | (Change<'book'> & Sent & { readonly tick: Price | null })
  | (Change<'levels'> & Sent)
  /** The best prices after the message's earlier changes. */
  | ({ readonly type: 'best'; readonly best: BestPrices } & Sent)
  | Change<'trade'>
  | Change<'tick'>
  /** A hint to look for the result, and not proof of one (`polymarket.md` 7.2). */
  | { readonly type: 'resolved' }
  /** A message that could not be understood. */
  | { readonly type: 'unusable'; readonly reason: string }
);

/** An update of one kind. */
export type UpdateOf<Type extends MarketUpdate['type']> = Extract<MarketUpdate, { readonly type: Type }>;

/** A trade without its market. */
export function bareTrade({ price, shares, taker }: UpdateOf<'trade'>): MarketChange {
  return { type: 'trade', price, shares, taker };
}

/** Every message about a market has one of these members. */
const OF_MARKETS = ['market', 'asset_id', 'price_changes'];

type Reader = (message: object, routes: Routes) => MarketUpdate[];

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['book', reading(bookMessage, readBook)],
  ['price_change', reading(priceChangeMessage, readLevels)],
  ['best_bid_ask', reading(bestMessage, (message, routes) => readBest([message], routes, message.timestamp))],
  ['last_trade_price', reading(tradeMessage, readTrade)],
  ['tick_size_change', reading(tickMessage, readTick)],
  ['market_resolved', reading(resolvedMessage, readResolved)],
]);

/**
 * Reads a text frame of the market channel: one message, or an array of them (`polymarket.md` 5). Messages of unknown kinds
 * are ignored; one without a kind is unusable.
 * @throws FrameMalformed when it is not JSON, or a message does not even name its market.
 */
export function readFrame(text: string, routes: Routes): MarketUpdate[] {
  const document = parsed(text);
  const messages: readonly unknown[] = Array.isArray(document) ? document : [document];
  return messages.flatMap((message) => readMessage(message, routes));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FrameMalformed('a frame is not JSON');
  }
}

function readMessage(message: unknown, routes: Routes): MarketUpdate[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new FrameMalformed('a message is not an object');
  }
  const { event_type } = v.parse(envelopeMessage, message);
  if (event_type !== undefined) return READERS.get(event_type)?.(message, routes) ?? [];
  // A message about a market may have changed its book; one about no market is ignored.
  const ofMarkets = OF_MARKETS.some((member) => Object.hasOwn(message, member));
  return ofMarkets ? unusable(message, routes, 'a message does not name its type') : [];
}

/** Reads a message that fits the schema and has valid amounts; any other is unusable. */
function reading<Schema extends v.GenericSchema>(
  schema: Schema,
  read: (message: v.InferOutput<Schema>, routes: Routes) => MarketUpdate[],
): Reader {
  return (message, routes) => {
    const { success, output } = v.safeParse(schema, message, { abortEarly: true });
    if (!success) return unusable(message, routes, 'a message lacks a required member');
    try {
      return read(output, routes);
    } catch (error) {
      if (!(error instanceof AmountMalformed)) throw error;
      return unusable(message, routes, 'a message has an impossible amount');
    }
  };
}

function unusable(message: object, routes: Routes, reason: string): MarketUpdate[] {
  const { market, asset_id } = v.parse(envelopeMessage, message);
  const route = asset_id === undefined ? undefined : routes.route(asset_id);
  if (route !== undefined) return [{ market: route.market, type: 'unusable', reason }];
  if (market === undefined) throw new FrameMalformed('a message does not name its market');
  return routes.follows(market) ? [{ market: market as MarketId, type: 'unusable', reason }] : [];
}

function readBook(message: v.InferOutput<typeof bookMessage>, routes: Routes): MarketUpdate[] {
  const route = routes.route(message.asset_id);
  // The other token's book is this one mirrored: to apply both would let them race.
  if (route?.outcome !== 'YES') return [];
  const tick = message.tick_size === '' ? null : priceIn(message.tick_size);
  const sides = { bids: message.bids.map(levelOf), asks: message.asks.map(levelOf) };
  return [{ market: route.market, type: 'book', ...sides, tick, sentAt: message.timestamp }];
}

function readLevels(message: v.InferOutput<typeof priceChangeMessage>, routes: Routes): MarketUpdate[] {
  const byMarket = new Map<MarketId, (Level & { side: BookSide })[]>();
  for (const change of message.price_changes) {
    const route = routes.route(change.asset_id);
    if (route?.outcome !== 'YES') continue;
    const side: BookSide = change.side === 'BUY' ? 'bids' : 'asks';
    const changes = byMarket.get(route.market) ?? [];
    changes.push({ ...levelOf(change), side });
    byMarket.set(route.market, changes);
  }
  const sentAt = message.timestamp;
  const levels = [...byMarket].map(([market, changes]): MarketUpdate => ({ market, type: 'levels', changes, sentAt }));
  return [...levels, ...readBest(message.price_changes, routes, sentAt)];
}

type Bests = Readonly<Record<'asset_id' | 'best_bid' | 'best_ask', string>>;

/** Messages about several tokens of a market are about one book, after all changes of the message. */
function readBest(changes: readonly Bests[], routes: Routes, sentAt: number | null): MarketUpdate[] {
  const byMarket = new Map<MarketId, BestPrices>();
  for (const { asset_id, best_bid, best_ask } of changes) {
    const route = routes.route(asset_id);
    if (route === undefined) continue;
    const best = wireBest(route.outcome, best_bid, best_ask);
    if (Object.keys(best).length > 0) byMarket.set(route.market, { ...byMarket.get(route.market), ...best });
  }
  return [...byMarket].map(([market, best]) => ({ market, type: 'best', best, sentAt }));
}

function readTrade(message: v.InferOutput<typeof tradeMessage>, routes: Routes): MarketUpdate[] {
  const route = routes.route(message.asset_id);
  if (route === undefined) return [];
  const { price, shares } = levelOf(message);
  if (shares === NO_SHARES) return [];
  const { market } = route;
  if (route.outcome === 'YES') return [{ market, type: 'trade', price, shares, taker: message.side }];
  const taker = message.side === 'BUY' ? 'SELL' : 'BUY';
  return [{ market, type: 'trade', price: mirrored(price), shares, taker }];
}

function readTick(message: v.InferOutput<typeof tickMessage>, routes: Routes): MarketUpdate[] {
  const route = routes.route(message.asset_id);
  if (route === undefined) return [];
  return [{ market: route.market, type: 'tick', tick: priceIn(message.new_tick_size) }];
}

function readResolved({ market }: v.InferOutput<typeof resolvedMessage>, routes: Routes): MarketUpdate[] {
  return routes.follows(market) ? [{ market: market as MarketId, type: 'resolved' }] : [];
}

function levelOf({ price, size }: { readonly price: string; readonly size: string }): Level {
  return { price: priceIn(price), shares: sharesIn(size) };
}
