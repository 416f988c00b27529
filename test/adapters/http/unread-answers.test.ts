import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';
import { afterEach, describe, expect, test } from 'vitest';
import type { State } from '../../../src/adapters/http/app-context.js';
import { StalledReaders, serve } from '../../../src/adapters/http/serve.js';
import { startApp } from '../../support/app.js';
import { ROOT } from '../../support/build.js';
import { eventually } from '../../support/eventually.js';
import { message, statusesIn, Wire } from '../../support/wire.js';

const BUNDLE = '/docs/swagger-ui-bundle.js';
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A client that reads nothing until it is resumed. */
function mute(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname)
    .on('data', () => {})
    .on('error', () => {})
    .pause();
  closings.push(() => socket.destroy());
  return socket;
}

/** A server whose answers are triggered by the test, and its connections in progress. */
async function patientServer(stalledMs = 30_000) {
  const app = new Koa<State>();
  const [under, sockets]: [(() => void)[], Set<Socket>] = [[], new Set()];
  app.use(async (ctx) => {
    sockets.add(ctx.req.socket);
    await new Promise<void>((resolve) => under.push(resolve));
    ctx.body = ctx.path === '/large' ? Buffer.alloc(64 * 1024 * 1024) : ctx.path;
  });
  const http = await serve(app, '127.0.0.1', 0, { stalledMs });
  closings.push(() => http.close(0));
  return { url: http.url, under, sockets };
}

describe('requests that are sent without waiting for answers', () => {
  test('are handled one by one, with few read ahead', async () => {
    const { url, under, sockets } = await patientServer();
    const wire = await Wire.to(url);
    wire.send(Array.from({ length: 12 }, (_, i) => message(`GET /${i}`)).join(''));
    await eventually(() => expect([...sockets].map((socket) => socket.isPaused())).toEqual([true]));
    for (let i = 0; i < 12; i += 1) {
      await eventually(() => expect(under).toHaveLength(i + 1));
      under[i]?.();
      await wire.hears(new RegExp(`/${i}$`));
    }
    expect([...sockets].map((socket) => socket.isPaused())).toEqual([false]);
    wire.hangUp();
  });

  test('are never begun once their client is gone', async () => {
    const { url, under, sockets } = await patientServer();
    const wire = await Wire.to(url);
    wire.send(message('GET /0') + message('GET /1'));
    await eventually(() => expect(under).toHaveLength(1));
    wire.hangUp();
    await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    under[0]?.();
    const next = await Wire.to(url);
    next.send(message('GET /2'));
    await eventually(() => expect(sockets.size).toBe(2));
    expect(under).toHaveLength(2);
    next.hangUp();
  });

  test('are all answered in their order for a client that reads', async () => {
    const app = await startApp();
    const wire = await Wire.to(app.url);
    wire.send(message('GET /docs/start.js').repeat(400) + message('GET /nothing', { connection: 'close' }));
    expect(statusesIn(await wire.closed())).toEqual([...Array(400).fill(200), 404]);
  });

  test('for a large file are not buffered for a client that stalls', async () => {
    const app = await startApp();
    mute(app.url).write(message(`GET ${BUNDLE}`).repeat(400));
    const answered = async () =>
      Number(new RegExp(`_count{.*"${BUNDLE}".*} (\\d+)`).exec((await app.client.get('/metrics')).text)?.[1] ?? 0);
    await eventually(async () => expect(await answered()).toBeGreaterThan(0));
    expect(await answered()).toBeLessThan(20);
  });
});

describe('a client that takes nothing of its answer', () => {
  /** Writes for ever, a piece when the one before has left. */
  function pour(res: ServerResponse): void {
    const piece = Buffer.alloc(64 * 1024);
    const more = () => {
      if (!res.destroyed) res.write(piece, (error) => error ?? more());
    };
    more();
  }

  async function pouring() {
    const served: Socket[] = [];
    const server = createServer((req, res) => {
      served.push(req.socket);
      pour(res);
    });
    const stalled = new StalledReaders(server, 30_000);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closings.push(() => server.close());
    const client = mute(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.write(message('GET /'));
    await eventually(() => expect(served).toHaveLength(1));
    return { socket: served[0] as Socket, client, stalled };
  }

  const taken = ({ bytesWritten, writableLength }: Socket) => bytesWritten - writableLength;

  /** Waits until the buffers of the system are full. */
  async function full(socket: Socket): Promise<void> {
    for (let [before, same] = [-1, 0]; same < 20; await new Promise(setImmediate)) {
      same = before === taken(socket) ? same + 1 : 0;
      before = taken(socket);
    }
    expect(socket.writableLength).toBeGreaterThan(0);
  }

  /** Reads until the server sees it. */
  async function readSome(client: Socket, socket: Socket): Promise<void> {
    const before = taken(socket);
    client.resume();
    await eventually(() => expect(taken(socket)).toBeGreaterThan(before));
    client.pause();
    await full(socket);
  }

  test('is cut after 30 seconds', async () => {
    const { socket, stalled } = await pouring();
    await full(socket);
    stalled.look(0);
    stalled.look(29_999);
    expect(socket.destroyed).toBe(false);
    stalled.look(30_000);
    expect(socket.destroyed).toBe(true);
  });

  test('is not cut while it takes something now and then, however slowly', async () => {
    const { socket, client, stalled } = await pouring();
    for (let now = 0; now <= 10 * 29_000; now += 29_000) {
      await readSome(client, socket);
      stalled.look(now);
    }
    expect(socket.destroyed).toBe(false);
  });

  test('is cut at the stall limit, unlike one awaiting an answer', async () => {
    const { url, sockets, under } = await patientServer(50);
    mute(url).write(message('GET /'));
    await eventually(() => expect(under).toHaveLength(1));
    const [first] = sockets;
    mute(url).write(message('GET /large'));
    await eventually(() => expect(under).toHaveLength(2));
    under[1]?.();
    await eventually(() => expect([...sockets][1]?.destroyed).toBe(true));
    expect(first?.destroyed).toBe(false);
  });
});

describe('a file of the reference', () => {
  test.each([
    [BUNDLE, 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ])('is whole, and known by its tag: %s', async (path, type) => {
    const { client } = await startApp();
    const bytes = readFileSync(join(ROOT, 'node_modules/swagger-ui-dist', path.slice('/docs/'.length)), 'utf8');
    const got = await client.get(path);
    expect([got.status, got.headers['content-type'], got.text === bytes]).toEqual([200, type, true]);
    expect(got.headers.etag).toMatch(/^"[\w-]{43}"$/);
    const headed = await client.send('HEAD', path);
    expect([headed.status, headed.text, headed.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(bytes)),
    ]);
    for (const tag of [got.headers.etag, `"x", W/${got.headers.etag}`, '*']) {
      const again = await client.get(path, { 'if-none-match': tag });
      expect([tag, again.status, again.text, again.headers.etag]).toEqual([tag, 304, '', got.headers.etag]);
    }
    expect((await client.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
  });
});
