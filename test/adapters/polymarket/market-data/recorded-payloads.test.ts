import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBook, readClobMarket } from '../../../../src/adapters/polymarket/http/clob-wire.js';
import { readGammaMarket, readSearchPage } from '../../../../src/adapters/polymarket/http/gamma-wire.js';
import { listing } from '../../../../src/adapters/polymarket/market-data/listing.js';
import { readFrame } from '../../../../src/adapters/polymarket/websocket/market-wire.js';
import { MarketUnusable } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { NO_WON } from '../../../../src/core/market/lifecycle.js';
import { formatMicro } from '../../../../src/core/money.js';
import { ROOT } from '../../../support/build.js';
import { bookOf, changeOf, resolvedOf, tickOf, tradeOf } from './stream-messages.js';
import { aListedGame } from './venue.js';

/** Recordings of the venue that are not part of the project; they lie beside the checkout where present. */
const FOLDER = join(ROOT, '../shared/payloads');
const RECORDED = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  : [];
const AT = new Date('2026-04-06T00:00:00Z');

/** How each kind of payload is read, and summarised. */
const READERS = {
  market: (document: unknown) => [document].flat().map(marketInShort),
  events: (document: unknown) => readSearchPage({ events: [document].flat() }).records.map(marketInShort),
  search: (document: unknown) => readSearchPage(document).records.map(marketInShort),
  clobMarket: (document: unknown) => {
    const { closed, tokens } = readClobMarket(document);
    return [closed === true ? 'closed' : 'open', ...tokens.map(({ winner }) => (winner === true ? 'won' : '-'))];
  },
  book: (document: unknown) => {
    const { bids, asks } = readBook(document);
    return [...bids.slice(0, 1), ...asks.slice(0, 1)].map(({ price }) => formatMicro(price));
  },
  frame: (document: unknown) => readFrame(JSON.stringify(document), EVERYTHING).map(({ type }) => type),
};

/** Every token is the first outcome of a market that is followed. */
const EVERYTHING = { route: () => ({ market: '0x1' as MarketId, outcome: 'YES' as const }), follows: () => true };

/** Each recording that is read: its reader, and the result. */
const READ: Readonly<Record<string, readonly [reader: keyof typeof READERS, ...outcome: readonly string[]]>> = {
  'nautilus/gamma_market.json': ['market', 'open'],
  'nautilus/gamma_market_closed_binary_accepting_false.json': ['market', 'resolving'],
  'nautilus/gamma_market_closed_binary_accepting_true.json': ['market', 'closed'],
  'nautilus/gamma_market_closed_nonbinary_legacy.json': ['market', 'closed'],
  'nautilus/gamma_market_closed_zero_zero_legacy.json': ['market', 'closed'],
  'nautilus/gamma_market_sports_market_map_handicap.json': ['market', 'resolving'],
  'nautilus/gamma_market_sports_market_money_line.json': ['market', 'resolving'],
  'nautilus/gamma_event.json': ['events', 'open', 'open'],
  'nautilus/search_response.json': ['search', 'open'],
  'nautilus/clob_market_closed_binary_accepting_false.json': ['clobMarket', 'closed', '-', 'won'],
  'nautilus/clob_market_closed_binary_accepting_true.json': ['clobMarket', 'closed', 'won', '-'],
  'nautilus/clob_book_response.json': ['book', '0.5', '0.51'],
  'nautilus/ws_market_book_msg.json': ['frame', 'book'],
  'nautilus/ws_market_price_change_msg.json': ['frame', 'levels', 'best'],
  'nautilus/ws_market_last_trade_msg.json': ['frame', 'trade'],
  'nautilus/ws_market_tick_size_msg.json': ['frame', 'tick'],
  'nautilus/ws_market_resolved_msg.json': ['frame', 'resolved'],
  'nautilus/ws_market_best_bid_ask_msg.json': ['frame', 'best'],
  // A kind of message that says nothing about a followed book.
  'nautilus/ws_market_new_market_msg.json': ['frame'],
  // Records shortened when they were kept: without a number or outcomes they describe no market.
  'nautilus-python/market_slug.json': ['market', 'not_binary'],
  'nautilus-python/markets_list.json': ['market', ...Array<string>(3).fill('metadata_malformed')],
  'nautilus-python/event.json': ['events', ...Array<string>(3).fill('metadata_malformed')],
  'nautilus-python/events_list.json': ['events', ...Array<string>(3).fill('metadata_malformed')],
  'nautilus-python/market.json': ['clobMarket', 'open', '-', '-'],
  'nautilus-python/book.json': ['book', '0.1', '0.14'],
  'nautilus-python/price_change_v2.json': ['frame', 'levels', 'best'],
  'nautilus-python/last_trade_price.json': ['frame', 'trade'],
  'nautilus-python/tick_size_change.json': ['frame', 'tick'],
  // The shape before September 2025.
  'nautilus-python/price_change.json': ['frame', 'unusable'],
};

/** Recordings of what the source of market data does not read: fees, accounts, orders, and other streams. */
const NOT_READ: readonly string[] = [
  ...under('nautilus', [
    'clob_fee_rate_response_nonzero',
    'clob_fee_rate_response_zero',
    'data_api_positions_response',
    'data_api_trades_response',
    'gamma_tags',
    'http_balance_allowance_collateral',
    'http_balance_allowance_no_allowance',
    'http_batch_cancel_response',
    'http_cancel_response_failed',
    'http_cancel_response_ok',
    'http_open_order',
    'http_open_order_sell_fok',
    'http_open_orders_page',
    'http_order_response_error_500',
    'http_order_response_failed',
    'http_order_response_ok',
    'http_signed_order',
    'http_trade_report',
    'http_trades_page',
    'rtds_crypto_prices_subscribe',
    'rtds_crypto_prices_update',
    'rtds_equity_prices_subscribe',
    'rtds_equity_prices_update',
    'ws_user_order_cancellation',
    'ws_user_order_fok_killed',
    'ws_user_order_matched',
    'ws_user_order_msg',
    'ws_user_order_placement',
    'ws_user_order_update',
    'ws_user_order_venue_cancel',
    'ws_user_trade',
    'ws_user_trade_msg',
    // Messages without their kind, which the venue does not send.
    'ws_book_snapshot',
    'ws_last_trade',
    'ws_quotes',
    'ws_tick_size_change',
  ]),
  ...under('nautilus-python', [
    'order_cancel',
    'order_placement',
    'trades',
    'user_trade1',
    'user_trade2',
    'user_trade3',
    'user_trade4',
  ]),
];

function under(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}.json`);
}

function marketInShort(record: unknown): string {
  try {
    return listing({ gamma: readGammaMarket(record), readAt: AT }, AT).status ?? 'no status';
  } catch (error) {
    if (error instanceof MarketUnusable) return error.reason;
    throw error;
  }
}

const recorded = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

test('every reader takes what the project itself says the venue sends', () => {
  const { gamma, clob } = aListedGame();
  const { events, ...market } = gamma;
  const [event] = events as readonly object[];
  const book = bookOf('a-first', [['0.4', '1']], [['0.5', '2']]);
  const messages = [
    book,
    changeOf('a-first', 'BUY', [['0.4', '2']]),
    tradeOf('a-first', 'BUY', '0.5', '1'),
    tickOf('a-first', '0.001'),
    resolvedOf('a'),
  ];
  expect(READERS.market(gamma)).toEqual(['open']);
  expect(READERS.events([{ ...event, markets: [market] }])).toEqual(['open']);
  expect(READERS.search({ events: [{ ...event, markets: [market] }] })).toEqual(['open']);
  expect(READERS.clobMarket(clob)).toEqual(['open', '-', '-']);
  expect(READERS.book({ ...book, tick_size: '0.01' })).toEqual(['0.4', '0.5']);
  expect(READERS.frame(messages)).toEqual(['book', 'levels', 'trade', 'tick', 'resolved']);
});

if (RECORDED.length > 0) {
  describe('a recording', () => {
    test.each(Object.entries(READ))('of %s is read as %j', (name, [reader, ...outcome]) => {
      expect(READERS[reader](recorded(name))).toEqual(outcome);
    });

    test('is one that is read, or one that need not be', () => {
      expect(RECORDED.toSorted()).toEqual([...Object.keys(READ), ...NOT_READ].toSorted());
    });

    test('of a result by both sources confirms it', () => {
      const name = 'closed_binary_accepting_false';
      const gamma = readGammaMarket(recorded(`nautilus/gamma_market_${name}.json`));
      const clob = readClobMarket(recorded(`nautilus/clob_market_${name}.json`));
      const market = listing({ gamma, clob, readAt: AT }, AT);
      expect([market.status, market.payout]).toEqual(['resolved', NO_WON]);
    });
  });
}
