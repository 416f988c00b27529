import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PolymarketMarketData } from '../../../../src/adapters/polymarket/market-data/polymarket-market-data.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { MarketEvent } from '../../../../src/core/market/event.js';
import { clockAt } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { marketOf } from '../../../support/fake-venue/markets.js';
import { aTradingDay, GAME } from '../../../support/fake-venue/trading-day.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { aListedGame } from '../market-data/venue.js';

const [YES] = GAME.tokens;
const LISTED = aListedGame();

let day: Awaited<ReturnType<typeof aTradingDay>>;
beforeEach(async () => {
  day = await aTradingDay([GAME, marketOf(LISTED)]);
});
afterEach(() => day.venue.close());

/** A connection to the user channel with these credentials, and everything received over it. */
async function listens(changes: Json = {}, more: Json = {}) {
  const { apiKey, secret, passphrase } = day.client.key;
  const socket = new WebSocket(new URL('/ws/user', day.venue.stream));
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(data.toString()));
  await once(socket, 'open');
  const standing = day.venue.user.listeners.length;
  socket.send(JSON.stringify({ auth: { apiKey, secret, passphrase, ...changes }, type: 'user', ...more }));
  const heard = () => frames.filter((frame) => frame !== 'PONG').flatMap((frame) => JSON.parse(frame) as Json[]);
  return {
    socket,
    frames,
    heard,
    joined: () => eventually(() => expect(day.venue.user.listeners.length).toBe(standing + 1)),
  };
}

const inShort = (message: Json) =>
  `${message['event_type']} ${message['type']} ${message['status']} ${message['size_matched'] ?? message['size']}`;

describe('the user channel', () => {
  test('reports orders and trades of the key that it was given', async () => {
    const { heard, joined } = await listens();
    await joined();
    const { hash } = await day.sends({ price: '0.5', size: '10' });
    day.venue.offer(YES, 'SELL', '0.5', '4');
    day.venue.settleAll('CONFIRMED');
    await day.client.delete('/order', { orderID: hash });
    await eventually(() =>
      expect(heard().map(inShort)).toEqual([
        'order PLACEMENT LIVE 0',
        'order UPDATE LIVE 4',
        'trade TRADE MATCHED 4',
        'trade TRADE CONFIRMED 4',
        'order CANCELLATION CANCELED 4',
      ]),
    );
    const [placed, , trade] = heard();
    expect(placed).toMatchObject({ id: hash, order_owner: day.client.key.apiKey, asset_id: YES, original_size: '10' });
    expect(trade).toMatchObject({
      trader_side: 'MAKER',
      trade_owner: day.client.key.apiKey,
      maker_orders: [{ order_id: hash }],
    });
  });

  test('reports why a FOK order was killed', async () => {
    const { heard, joined } = await listens();
    await joined();
    await day.sends({ type: 'FOK' });
    await eventually(() =>
      expect(heard()).toMatchObject([
        {
          type: 'CANCELLATION',
          status: "CANCELED_order couldn't be fully filled. FOK orders are fully filled or killed.",
        },
      ]),
    );
  });

  test('closes on wrong credentials, and reports nothing of other markets', async () => {
    const { socket } = await listens({ secret: 'wrong' });
    await once(socket, 'close');
    const { heard, joined } = await listens({}, { markets: [LISTED.compact['c']] });
    await joined();
    await day.sends();
    await day.sends({ token: String(day.venue.market(String(LISTED.compact['c'])).terms.tokens[0]) });
    await eventually(() => expect(heard()).toMatchObject([{ market: LISTED.compact['c'] }]));
  });

  test('answers pings, unless configured not to or silent', async () => {
    const { socket, frames, joined } = await listens();
    await joined();
    socket.send('PING');
    await eventually(() => expect(frames).toEqual(['PONG']));
    day.venue.user.silent = true;
    socket.send('PING');
    await eventually(() => expect(day.venue.user.clients[0]?.pings).toBe(2));
    await day.sends();
    day.venue.user.silent = false;
    await day.sends({ size: '7' });
    await eventually(() =>
      expect(frames.slice(1).map((frame) => JSON.parse(frame))).toMatchObject([{ original_size: '7' }]),
    );
    expect(day.venue.user.sent).toHaveLength(2);
  });

  test('says things twice, in arrays, out of order, or no more', async () => {
    const { socket, frames, heard, joined } = await listens();
    await joined();
    Object.assign(day.venue.user, { copies: 2, inArrays: true });
    await day.sends();
    await eventually(() => expect(heard().map(inShort)).toEqual(['order PLACEMENT LIVE 0', 'order PLACEMENT LIVE 0']));
    expect(frames[0]).toMatch(/^\[/);
    day.venue.user.copies = 1;
    day.venue.user.keep();
    venueTradesAndConfirms();
    day.venue.user.letGo((messages) => messages.toReversed());
    await eventually(() =>
      expect(heard().slice(2).map(inShort)).toEqual([
        'trade TRADE CONFIRMED 4',
        'trade TRADE MATCHED 4',
        'order UPDATE LIVE 4',
      ]),
    );
    day.venue.user.drop();
    await once(socket, 'close');
  });

  const venueTradesAndConfirms = () => {
    day.venue.offer(YES, 'SELL', '0.5', '4');
    day.venue.settleAll('CONFIRMED');
  };
});

describe('one venue serves a whole client', () => {
  test('with the market data of its own book', async () => {
    const { venue } = day;
    const { gamma, clob, stream } = venue;
    const clock = clockAt('2027-01-10T12:00:00.000Z');
    const data = new PolymarketMarketData({ gamma, clob, stream, clock, report: () => {} });
    const id = String(LISTED.gamma['conditionId']) as MarketId;
    const market = await data.find(id);
    if (market === undefined) throw new Error('the game is not found');
    const events: MarketEvent[] = [];
    const following = await data.follow(market, (event) => void events.push(event));
    venue.offer(venue.market(id).terms.tokens[0], 'SELL', '0.6', '12');
    const asks = [{ price: 600_000n, shares: 12_000_000n }];
    await eventually(() => expect(events.at(-1)).toMatchObject({ type: 'book', asks }));
    expect(await data.book(market)).toMatchObject({ asks });
    following.stop();
    await data.close();
  });

  test('and cuts all that is connected when it refuses', async () => {
    const sockets = ['/ws/user', '/ws/market'].map((path) => new WebSocket(new URL(path, day.venue.stream)));
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    const cut = sockets.map((socket) => once(socket, 'close'));
    await day.venue.refuseConnections();
    await Promise.all(cut);
    await day.venue.acceptConnections();
    expect(await day.sends()).toMatchObject({ success: true });
  });

  test('and shows in every record that a market is over', async () => {
    const { venue } = day;
    const market = venue.market(String(LISTED.compact['c']));
    venue.resolve(market.terms.tokens[1], market);
    const gamma = await fetch(`${venue.gamma}/markets/${LISTED.gamma['id']}`);
    expect(await gamma.json()).toMatchObject({
      closed: true,
      umaResolutionStatus: 'resolved',
      outcomePrices: '["0","1"]',
    });
    expect(await day.client.get(`/markets/${market.conditionId}`)).toMatchObject({
      closed: true,
      tokens: [{ winner: false }, { winner: true }],
    });
    expect(await day.client.get(`/clob-markets/${market.conditionId}`)).toMatchObject({
      c: market.conditionId,
      ao: false,
    });
  });
});
