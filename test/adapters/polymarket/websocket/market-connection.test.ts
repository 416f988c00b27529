import { expect, test } from 'vitest';
import { MarketConnection } from '../../../../src/adapters/polymarket/websocket/market-connection.js';
import { eventually } from '../../../support/eventually.js';

test('an address that cannot be connected to is tried again', async () => {
  const lost: string[] = [];
  const none = () => {};
  const limits = { pingMs: 1, silenceMs: 1, idleMs: 1, handshakeMs: 1, maxPayload: 1 };
  const peer = { opened: none, received: none, lost: (reason: string) => lost.push(reason), tokens: () => [] };
  const address = new URL('ws://127.0.0.1/ws/market#fragment');
  const connection = new MarketConnection(address, limits, { initialDelay: 1, maxDelay: 2 }, peer);
  await eventually(() => expect(lost.length).toBeGreaterThan(1));
  await connection.close();
  expect(new Set(lost)).toEqual(new Set(['the connection could not be made']));
});
