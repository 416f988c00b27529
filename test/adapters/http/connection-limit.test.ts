import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import type { State } from '../../../src/adapters/http/app-context.js';
import { serve } from '../../../src/adapters/http/serve.js';
import { eventually } from '../../support/eventually.js';
import { message, Wire } from '../../support/wire.js';

const MOST = 3;
const LARGE = 64 * 1024 * 1024;
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A server for three connections: it answers with the path, `/held` when it is released, and `/large` with 64 MiB. */
async function smallServer() {
  const app = new Koa<State>();
  const [begun, held, closed]: [string[], (() => void)[], string[]] = [[], [], []];
  app.use(async (ctx) => {
    begun.push(ctx.path);
    if (ctx.path === '/held') await new Promise<void>((resolve) => held.push(resolve));
    ctx.body = ctx.path === '/large' ? Buffer.alloc(LARGE) : `${ctx.path}.`;
  });
  const observer = { closedAtLimit: (connection: string) => void closed.push(connection) };
  const http = await serve(app, '127.0.0.1', 0, { connections: { most: MOST, observer } });
  closings.push(() => http.close(0));
  const connect = async (start?: string) => {
    const wire = await Wire.to(http.url);
    closings.push(() => wire.hangUp());
    return start === undefined ? wire : wire.send(start);
  };
  return { url: http.url, begun, held, closed, connect };
}

/** A client that reads nothing of its answer until it is asked how many bytes that has. */
function sleepyReader(url: string, request: string): () => Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connectTo(Number(port), hostname)
    .on('error', () => {})
    .pause();
  closings.push(() => socket.destroy());
  socket.write(request);
  return async () => {
    socket.resume();
    await once(socket, 'close');
    return socket.bytesRead;
  };
}

const ask = (path: string) => message(`GET ${path}`);
const answers = (wire: Wire, path: string) => wire.send(ask(path)).hears(new RegExp(`\\r\\n${path}\\.$`));

describe('a connection beyond the limit', () => {
  it('takes the place of the one that was idle for longest', async () => {
    const { closed, connect } = await smallServer();
    const [first, second, third] = [await connect(), await connect(), await connect()];
    for (const wire of [third, second, first]) await answers(wire, '/a');
    await answers(third, '/b');
    const fourth = await connect();
    await second.closed();
    const fifth = await connect();
    await first.closed();
    for (const wire of [third, fourth, fifth]) await answers(wire, '/c');
    expect(closed).toEqual(['idle', 'idle']);
  });

  it('replaces one whose headers never end, however often it sends some', async () => {
    const { closed, connect } = await smallServer();
    const slow = await connect('GET /slow HTTP/1.1\r\n');
    const others = [await connect(), await connect()];
    for (const wire of others) await answers(wire, '/a');
    slow.send('host: x\r\n');
    for (const wire of others) await answers(wire, '/b');
    slow.send('x: y\r\n');
    const next = await connect();
    expect(await slow.closed()).toBe('');
    for (const wire of [...others, next]) await answers(wire, '/c');
    expect(closed).toEqual(['idle']);
  });

  it('never replaces one with a request or an answer in progress', async () => {
    const { url, begun, held, closed, connect } = await smallServer();
    const bytesRead = sleepyReader(url, message('GET /large', { connection: 'close' }));
    await eventually(() => expect(begun).toEqual(['/large']));
    const working = await connect(ask('/held'));
    await eventually(() => expect(held).toHaveLength(1));
    const waiting = await connect(ask('/a') + ask('/held'));
    await eventually(() => expect(held).toHaveLength(2));
    const refused = await connect(ask('/b'));
    expect(await refused.closed()).toBe('');
    expect(closed).toEqual(['new']);
    for (const answer of held) answer();
    await working.hears(/\/held\.$/);
    await waiting.hears(/\/a\.(?:.|\s)*\/held\.$/);
    await answers(await connect(), '/c');
    expect(closed).toEqual(['new', 'idle']);
    expect(await bytesRead()).toBeGreaterThan(LARGE);
  });

  it('finds room again when others have hung up', async () => {
    const { closed, connect } = await smallServer();
    for (let i = 0; i < 4 * MOST; i += 1) {
      const wire = await connect();
      await answers(wire, `/${i}`);
      await wire.send(message('GET /end', { connection: 'close' })).closed();
    }
    expect(closed).toEqual([]);
  });
});
