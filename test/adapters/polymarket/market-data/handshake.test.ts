import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { diary, listening } from './listening.js';
import { aGame } from './stream-messages.js';

const taken: Socket[] = [];
const mute = createServer((socket) => {
  socket.on('error', () => {}).resume();
  taken.push(socket);
});

beforeEach(async () => {
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
});

afterEach(async () => {
  for (const socket of taken.splice(0)) socket.destroy();
  mute.close();
  await once(mute, 'close');
});

test('a connection the venue never answers is a gap and is retried', async () => {
  const { port } = mute.address() as AddressInfo;
  const { stream, close } = await listening({ url: `ws://127.0.0.1:${port}`, handshakeMs: 40 });
  const { lines, listener } = diary();
  await stream.follow(aGame('game'), listener);
  expect(lines()).toEqual(['gap: the connection failed']);
  await eventually(() => expect(taken.length).toBeGreaterThan(2));
  expect(lines()).toHaveLength(1);
  await close();
  await eventually(() => expect(taken.filter(({ closed }) => !closed)).toEqual([]));
});
