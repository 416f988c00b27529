import { describe, expect, test } from 'vitest';
import { readFrame, type TokenRoute } from '../../../../src/adapters/polymarket/websocket/market-wire.js';
import { FrameMalformed } from '../../../../src/adapters/transport/websocket-session.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { price, shares } from '../../../support/builders.js';
import { bestOf, bookOf, changeOf, resolvedOf, tickOf, tradeOf } from '../market-data/stream-messages.js';

const GAME = '0xgame' as MarketId;
const ROUTES = new Map<string, TokenRoute>([
  ['game-first', { market: GAME, outcome: 'YES' }],
  ['game-second', { market: GAME, outcome: 'NO' }],
]);
const FOLLOWED = { route: (token: string) => ROUTES.get(token), follows: (id: string) => id === GAME };

const read = (message: unknown) => readFrame(JSON.stringify(message), FOLLOWED);
const level = (at: string, size: string) => ({ price: price(at), shares: shares(size) });
const unusable = [{ market: GAME, type: 'unusable', reason: expect.any(String) }];

describe('a frame of the market channel', () => {
  test('gives the first outcome’s book with every level, in any order', () => {
    const news = read(
      bookOf(
        'game-first',
        [
          ['0.40', '10'],
          ['.41', '2.5'],
        ],
        [['0.44', '7']],
      ),
    );
    const bids = [level('0.4', '10'), level('0.41', '2.5')];
    expect(news).toEqual([{ market: GAME, type: 'book', bids, asks: [level('0.44', '7')], tick: null, sentAt: 1000 }]);
  });

  test('reads the tick that came with a book', () => {
    const [book] = read({ ...bookOf('game-first', [], []), tick_size: '0.001' });
    expect(book).toMatchObject({ type: 'book', tick: price('0.001') });
  });

  test('gives the first outcome’s new totals alone, as bids or asks', () => {
    const both = {
      event_type: 'price_change',
      market: GAME,
      timestamp: '1700000000123',
      price_changes: [
        { asset_id: 'game-first', price: '0.4', size: '0', side: 'BUY' },
        { asset_id: 'game-second', price: '0.6', size: '0', side: 'SELL' },
        { asset_id: 'game-first', price: '0.5', size: '3', side: 'SELL' },
      ],
    };
    const changes = [
      { ...level('0.4', '0'), side: 'bids' },
      { ...level('0.5', '3'), side: 'asks' },
    ];
    expect(read(both)).toEqual([{ market: GAME, type: 'levels', changes, sentAt: 1_700_000_000_123 }]);
  });

  test('gives the best prices after its changes, for either outcome', () => {
    const best = (message: unknown) => read(message).filter(({ type }) => type === 'best');
    const expected = { market: GAME, type: 'best', sentAt: 2000 };
    const row = [['0.4', '1']] as const;
    const own = changeOf('game-first', 'BUY', row, '2000', { best_bid: '0.4', best_ask: '1' });
    expect(best(own)).toEqual([{ ...expected, best: { bids: price('0.4'), asks: null } }]);
    const other = changeOf('game-second', 'BUY', row, '2000', { best_bid: '0', best_ask: '.75' });
    expect(best(other)).toEqual([{ ...expected, best: { bids: price('0.25'), asks: null } }]);
    expect(best(bestOf('game-second', '0.40', ''))).toEqual([{ ...expected, best: { asks: price('0.6') } }]);
    expect(best(bestOf('game-first', '', '0.0000001'))).toEqual([]);
    expect(best(bestOf('other-first', '0.1', '0.2'))).toEqual([]);
  });

  test('gives nothing for the second outcome’s book', () => {
    expect(read(bookOf('game-second', [['0.5', '1']], []))).toEqual([]);
    expect(read(changeOf('game-second', 'BUY', [['0.5', '1']]))).toEqual([]);
  });

  test('reads a trade of the second outcome as one of the first', () => {
    const trade = { market: GAME, type: 'trade', shares: shares('5') };
    expect(read(tradeOf('game-first', 'BUY', '0.3', '5'))).toEqual([{ ...trade, price: price('0.3'), taker: 'BUY' }]);
    expect(read(tradeOf('game-second', 'BUY', '0.3', '5'))).toEqual([{ ...trade, price: price('0.7'), taker: 'SELL' }]);
    expect(read(tradeOf('game-second', 'SELL', '0.99', '5'))).toEqual([
      { ...trade, price: price('0.01'), taker: 'BUY' },
    ]);
  });

  test('truncates sizes to six decimals, and accepts only exact prices', () => {
    const [trade] = read(tradeOf('game-first', 'BUY', '0.5100000000', '1.9999999'));
    expect(trade).toMatchObject({ price: price('0.51'), shares: shares('1.999999') });
    expect(read(tradeOf('game-first', 'BUY', '0.5100001', '1'))).toEqual(unusable);
  });

  test.each(['0', '1', '1.5', '-0.5', '', '5e-1', 'NaN', '0.', `0.${'0'.repeat(50)}1`])(
    'is unusable for its market with the price %j',
    (at) => {
      expect(
        read(
          bookOf(
            'game-first',
            [
              ['0.4', '1'],
              [at, '1'],
            ],
            [],
          ),
        ),
      ).toEqual(unusable);
      expect(read(changeOf('game-first', 'SELL', [[at, '1']]))).toEqual(unusable);
      expect(read(tradeOf('game-second', 'SELL', at, '1'))).toEqual(unusable);
      expect(read(tickOf('game-first', at))).toEqual(unusable);
    },
  );

  test.each([
    ['a size that is not an amount', changeOf('game-first', 'BUY', [['0.4', '1.5x']])],
    ['a size below zero', changeOf('game-first', 'BUY', [['0.4', '-1']])],
    ['a price as a JSON number', { event_type: 'last_trade_price', asset_id: 'game-first', price: 0.5, size: '1' }],
    ['no levels', { event_type: 'price_change', market: GAME }],
    ['half a book', { event_type: 'book', asset_id: 'game-first', bids: [] }],
  ])('is unusable for its market with %s', (_what, message) => {
    expect(read(message)).toEqual(unusable);
  });

  test.each([
    ['no kind', undefined],
    ['a kind that is not text', 5],
    ['null for a kind', null],
  ])('is unusable for its market with %s, whatever else it holds', (_what, event_type) => {
    expect(read({ ...changeOf('game-first', 'BUY', [['0.4', '1']]), event_type })).toEqual(unusable);
    expect(read({ ...bookOf('game-second', [], []), market: undefined, event_type })).toEqual(unusable);
    expect(read({ ...changeOf('other-first', 'BUY', [['0.4', '1']]), event_type })).toEqual([]);
  });

  test('is malformed with levels of no market', () => {
    const levels = { ...changeOf('game-first', 'BUY', [['0.4', '1']]), market: undefined };
    expect(() => read({ ...levels, event_type: undefined })).toThrow(FrameMalformed);
  });

  test('reads a tick and the hint of a resolution', () => {
    expect(read(tickOf('game-second', '0.001'))).toEqual([{ market: GAME, type: 'tick', tick: price('0.001') }]);
    expect(read(resolvedOf('game'))).toEqual([{ market: GAME, type: 'resolved' }]);
  });

  test('may hold several messages; unknown kinds and other markets are ignored', () => {
    const strange = [{ event_type: 'new_market', market: GAME }, { event_type: '__proto__' }, {}, { event_type: 5 }];
    const other = [bookOf('other-first', [], []), tradeOf('other-first', 'BUY', '2', ''), resolvedOf('other')];
    const types = read([...strange, ...other, tickOf('game-first', '0.1'), resolvedOf('game')]).map(({ type }) => type);
    expect(types).toEqual(['tick', 'resolved']);
  });

  test.each(['', 'INVALID', '{"event_type":"book"', '5', 'null', '[[]]', '["PONG"]', '{"event_type":"book"}'])(
    'is malformed when it is %j',
    (text) => {
      expect(() => readFrame(text, FOLLOWED)).toThrow(FrameMalformed);
    },
  );
});
