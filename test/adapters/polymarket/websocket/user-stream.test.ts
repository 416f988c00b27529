import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserStream } from '../../../../src/adapters/polymarket/websocket/user-stream.js';
import type { UserEvent } from '../../../../src/adapters/polymarket/websocket/user-wire.js';
import type { WebSocketLimits } from '../../../../src/adapters/transport/websocket-session.js';
import type { Order } from '../../../../src/core/order/order.js';
import { shares } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { aFixture, booked, GAME, unknownNow, YES } from '../execution/exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await fixture.close();
});

interface Listening {
  readonly limits?: Partial<WebSocketLimits>;
  readonly secret?: string;
  readonly markets?: readonly string[];
  onEvent?(event: UserEvent): void;
}

/** A stream of the account of the stage, and its events. */
function listens({ limits = {}, secret, markets, onEvent }: Listening = {}) {
  const events: UserEvent[] = [];
  const reports: string[] = [];
  const sweeps = { reconnected: 0, unreadable: 0 };
  const { apiKey, passphrase } = fixture.credentials;
  const stream = new UserStream({
    url: new URL('/ws/user', fixture.venue.stream),
    credentials: { apiKey, passphrase, secret: secret ?? fixture.credentials.secret },
    ...(markets === undefined ? {} : { markets }),
    limits,
    retry: { initialDelay: 5, maxDelay: 20 },
    onEvent: (event) => {
      events.push(event);
      onEvent?.(event);
    },
    onReconnected: () => {
      sweeps.reconnected += 1;
    },
    onUnreadable: () => {
      sweeps.unreadable += 1;
    },
    report: (reason) => reports.push(reason),
  });
  ends.push(() => stream.close());
  const joined = (times = 1) =>
    eventually(() => {
      expect(sweeps.reconnected).toBeGreaterThanOrEqual(times);
      expect(fixture.venue.user.listeners).toHaveLength(1);
    });
  return { stream, events, reports, sweeps, joined, lines: () => events.map(inShort) };
}

function inShort(event: UserEvent): string {
  if (event.type === 'order') return `order ${event.change} ${event.order.status} ${event.order.sizeMatched}`;
  return `trade ${event.trade.rawStatus} ${event.ours.map(({ liquidity, size }) => `${liquidity} ${size}`).join(' ')}`;
}

/** The trades among these events, in the parts of one order. */
function booksOf(order: Order, events: readonly UserEvent[]): Order {
  const trades = events.flatMap((event) => (event.type === 'trade' ? [event.trade] : []));
  const { executions } = fixture.evidenceOf(order, trades);
  return booked(order, {
    kind: 'accepted',
    venueOrderId: order.venueOrderId ?? '',
    executions,
    failed: [],
    rest: 'open',
  });
}

describe('the user stream', () => {
  test('reports our orders, as makers and as takers', async () => {
    const { joined, lines } = listens();
    await joined();
    const order = await fixture.order();
    await fixture.sends(order);
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    await fixture.exchange.cancel(order);
    fixture.venue.settleAll('CONFIRMED');
    fixture.venue.offer(YES, 'SELL', '0.5', '5');
    await fixture.sends(await fixture.order({ timeInForce: 'FAK' }));
    await eventually(() =>
      expect(lines()).toEqual([
        'order placement LIVE 0',
        'order update LIVE 8',
        'trade MATCHED MAKER 8',
        'order cancellation CANCELED 8',
        'trade CONFIRMED MAKER 8',
        'order placement LIVE 0',
        'order update MATCHED 5',
        'trade MATCHED TAKER 5',
      ]),
    );
  });

  test('reports a fill early, and counts it once with the answer', async () => {
    const { joined, events, lines } = listens();
    await joined();
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    const order = await fixture.order({ timeInForce: 'FOK' });
    const held = fixture.venue.hold('POST /order', 'answer');
    const sent = fixture.sends(order);
    await held.arrived;
    await eventually(() => expect(lines()).toContain('trade MATCHED TAKER 20'));
    const early = booksOf(order, events);
    expect(early).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
    held.release();
    const late = booked(order, await sent);
    expect(late.fills).toEqual(early.fills);
  });

  test('names a trade as REST does, so duplicates count once', async () => {
    fixture.venue.user.copies = 2;
    fixture.venue.user.inArrays = true;
    const { joined, events } = listens();
    await joined();
    for (const at of ['0.4', '0.45']) fixture.venue.offer(YES, 'SELL', at, '10');
    const order = await fixture.order({ timeInForce: 'FOK' });
    const placed = booked(order, await fixture.sends(order));
    fixture.venue.settleAll('CONFIRMED');
    await eventually(() => expect(events.filter(({ type }) => type === 'trade')).toHaveLength(8));
    const books = booksOf(order, events);
    expect(books.fills.map(({ tradeId }) => tradeId)).toEqual(placed.fills.map(({ tradeId }) => tradeId));
    expect(books.filled).toMatchObject({ shares: shares('20'), confirmed: shares('20') });
    const keys = events.flatMap((event) => (event.type === 'trade' ? [event.key] : []));
    expect(new Set(keys)).toEqual(new Set(books.fills.map(({ tradeId }) => tradeId)));
  });

  test('subscribes only to the markets that it was given', async () => {
    const { joined } = listens({ markets: [GAME.conditionId] });
    await joined();
    expect(fixture.venue.user.clients[0]?.requests).toMatchObject([{ type: 'user', markets: [GAME.conditionId] }]);
  });
});

describe('nothing is lost for good', () => {
  test('when the connection drops: the next one begins with a sweep', async () => {
    const { joined, events, stream } = listens();
    await joined();
    const order = await fixture.order();
    await fixture.sends(order);
    fixture.venue.user.drop();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    await joined(2);
    expect(stream.isOpen).toBe(true);
    expect(events.filter(({ type }) => type === 'trade')).toEqual([]);
    const swept = await fixture.clob.trades({ after: new Date(fixture.time.now - 600_000) });
    if (swept.kind !== 'ok') throw new Error('the venue is there');
    expect(fixture.evidenceOf(order, swept.items)).toMatchObject({ traded: shares('8') });
  });

  test('when the connection falls silent without an end', async () => {
    const { joined, reports } = listens({ limits: { pingMs: 10, silenceMs: 150 } });
    await joined();
    fixture.venue.user.silent = true;
    await eventually(() => expect(reports).toContain('the connection fell silent'));
    fixture.venue.user.silent = false;
    await joined(2);
  });

  test('when it answers pings and sends nothing for too long', async () => {
    const { joined, reports } = listens({ limits: { pingMs: 10, idleMs: 150 } });
    await joined();
    await eventually(() => expect(reports).toContain('the connection delivered nothing for too long'));
    await joined(2);
  });

  test.each([
    ['of another kind', '{"event_type":"novelty","id":"1"}'],
    ['without a kind', '{"id":"1"}'],
    ['that is not an object', '[7]'],
    ['of an order without a price', '{"event_type":"order","type":"UPDATE","id":"0x1","status":"LIVE"}'],
    ['of a trade without a status', '{"event_type":"trade","id":"1"}'],
  ])('when a message %s comes, and the connection stays', async (_name, frame) => {
    const { joined, sweeps, reports, events } = listens();
    await joined();
    fixture.venue.user.sendRaw(frame);
    await eventually(() => expect(sweeps.unreadable).toBe(1));
    expect(reports).toEqual(['a message has an unknown shape']);
    expect([events, sweeps.reconnected]).toEqual([[], 1]);
  });

  test('when a frame is broken, by a new connection', async () => {
    const { joined, reports } = listens();
    await joined();
    fixture.venue.user.sendRaw('{"event_type":"tra');
    await joined(2);
    expect(reports).toEqual(['a frame is not JSON']);
  });

  test('when the callback of an event fails', async () => {
    const { joined, sweeps, lines } = listens({
      onEvent() {
        throw new Error('the disk is full');
      },
    });
    await joined();
    const order = await fixture.order();
    await fixture.sends(order);
    await eventually(() => expect(sweeps.unreadable).toBe(1));
    await fixture.exchange.cancel(unknownNow(order));
    await eventually(() => expect(lines()).toHaveLength(2));
  });

  test('when the venue rejects the credentials, which are retried and never reported', async () => {
    const { sweeps, reports } = listens({ secret: 'bm8tc3VjaC1zZWNyZXQ=' });
    await eventually(() => expect(sweeps.reconnected).toBeGreaterThan(2));
    expect(fixture.venue.user.listeners).toEqual([]);
    expect(reports.join()).not.toContain('bm8tc3VjaC1zZWNyZXQ');
  });
});

test('a stream that is closed ends its connection, and makes no other', async () => {
  const { joined, stream } = listens();
  await joined();
  await stream.close();
  await eventually(() => expect(fixture.venue.user.listeners).toEqual([]));
  expect(stream.isOpen).toBe(false);
  expect(fixture.venue.user.clients).toHaveLength(1);
});
