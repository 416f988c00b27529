import { Dispatcher } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpClient } from '../../../src/adapters/transport/http-client.js';
import type { HttpLimits } from '../../../src/adapters/transport/http-limits.js';
import { type Call, sendOnce } from '../../../src/adapters/transport/send-once.js';
import { LANES, Loopback } from './loopback.js';

const QUICK: Partial<HttpLimits> = { connectMs: 5000, headersMs: 5000, bodyMs: 5000, overallMs: 1500 };
const MARK = 'one-copy-only';
const ORDER: Call = { method: 'POST', path: '/order', body: `{"mark":"${MARK}"}` };
const LARGE: Call = { ...ORDER, body: JSON.stringify({ mark: MARK, rest: 'x'.repeat(8 * 1024 * 1024) }) };
const ACCEPTED = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

const here = new Loopback();
afterEach(() => here.end());

function http(url: URL, limits: Partial<HttpLimits> = {}): HttpClient<'order' | 'cancel'> {
  const made = new HttpClient(url, LANES, { ...QUICK, ...limits });
  here.onEnd(() => made.close());
  return made;
}

describe('is a silence, and sent once', () => {
  test('rows 15, 16: when no answer comes in time', async () => {
    const wire = await here.wire(() => {});
    expect(await http(wire.url()).send('order', ORDER)).toEqual({ kind: 'silence', reason: 'timeout' });
    expect(wire.count(MARK)).toBe(1);
  });

  test('row 20: reset after the first byte of a large request', async () => {
    const wire = await here.wire((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const sent = await http(wire.url(), { overallMs: 5000 }).send('order', LARGE);
    expect(sent).toEqual({ kind: 'silence', reason: 'connection_lost' });
    expect(wire.received).toHaveLength(1);
  });

  test('row 20: closed after a hundred bytes of a large request', async () => {
    const wire = await here.wire((socket) => socket.on('data', () => socket.bytesRead > 100 && socket.destroy()));
    const sent = await http(wire.url(), { overallMs: 5000 }).send('order', LARGE);
    expect(sent).toEqual({ kind: 'silence', reason: 'connection_lost' });
    expect(wire.count(MARK)).toBe(1);
  });

  test('row 21: cut after the head of the answer', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"succ';
    const wire = await here.wire((socket) => socket.once('data', () => socket.end(head)));
    expect(await http(wire.url()).send('order', ORDER)).toMatchObject({ kind: 'silence' });
    expect(wire.count(MARK)).toBe(1);
  });

  test('row 21: reset within the answer', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"succ';
    const wire = await here.wire((socket) =>
      socket.once('data', () => socket.write(head, () => socket.resetAndDestroy())),
    );
    expect(await http(wire.url()).send('order', ORDER)).toMatchObject({ kind: 'silence' });
    expect(wire.count(MARK)).toBe(1);
  });

  test('when the answer is not HTTP', async () => {
    const wire = await here.wire((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')));
    expect(await http(wire.url()).send('order', ORDER)).toEqual({ kind: 'silence', reason: 'answer_malformed' });
  });

  test('row 39: when the answer drips, within the limits of its parts', async () => {
    const wire = await here.wire((socket) => {
      const drip = setInterval(() => socket.write('x'), 10);
      socket.once('close', () => clearInterval(drip));
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'));
    });
    const started = performance.now();
    const sent = await http(wire.url(), { overallMs: 1000 }).send('order', ORDER);
    expect(sent).toMatchObject({ kind: 'silence' });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('row 40: when the answer is larger than is read', async () => {
    const script = await here.script({ body: 'x'.repeat(2 * 1024 * 1024) });
    expect(await http(script.url, { overallMs: 5000 }).send('order', ORDER)).toEqual({
      kind: 'silence',
      reason: 'answer_too_large',
    });
    expect(script.requests).toHaveLength(1);
  });

  test('when the dispatcher would write it again, and is stopped', async () => {
    const aborted: boolean[] = [];
    class Repeating extends Dispatcher {
      override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        for (let i = 0; i < 2; i++) {
          const controller = { aborted: false, paused: false, reason: null, pause() {}, resume() {}, abort: () => {} };
          controller.abort = () => void aborted.push(true);
          handler.onRequestStart?.(controller, {});
        }
        return true;
      }
    }
    const sent = sendOnce(new Repeating(), { path: '/order', method: 'POST' }, 5000);
    expect(await sent).toEqual({ kind: 'silence', reason: 'connection_lost' });
    expect(aborted).toEqual([true]);
  });

  test('when the caller gives up after it has left', async () => {
    const wire = await here.wire(() => {});
    const caller = new AbortController();
    const sent = http(wire.url(), { overallMs: 5000 }).send('order', ORDER, { signal: caller.signal });
    await expect.poll(() => wire.count(MARK)).toBe(1);
    caller.abort();
    expect(await sent).toEqual({ kind: 'silence', reason: 'aborted' });
  });

  test('when a kept connection dies mid-request, and nothing is sent again', async () => {
    const wire = await here.wire((socket) => {
      socket.once('data', () => {
        socket.write(ACCEPTED);
        socket.on('data', (bytes: Buffer) => bytes.includes(MARK) && socket.resetAndDestroy());
      });
    });
    const one = http(wire.url(), { overallMs: 5000, connections: 1 });
    expect(await one.send('order', { ...ORDER, body: '{}' })).toMatchObject({ kind: 'answered' });
    expect(await one.send('order', ORDER)).toEqual({ kind: 'silence', reason: 'connection_lost' });
    expect(await one.send('order', { ...ORDER, body: '{}' })).toMatchObject({ kind: 'answered' });
    expect(wire.count(MARK)).toBe(1);
    expect(wire.received).toHaveLength(2);
  });

  test('an order arrives at most once when a kept connection closes', async () => {
    const wire = await here.wire((socket) =>
      socket.on('data', () => {
        socket.write(ACCEPTED);
        setImmediate(() => socket.end());
      }),
    );
    const one = http(wire.url(), { overallMs: 5000, connections: 1 });
    for (let i = 0; i < 60; i++) {
      const delivery = await one.send('cancel', { ...ORDER, body: `{"mark":"no-${i}."}` });
      const copies = wire.count(`no-${i}.`);
      expect(delivery.kind === 'not_sent' ? copies : Math.max(0, copies - 1)).toBe(0);
      if (delivery.kind === 'answered') expect(copies).toBe(1);
    }
  });
});

describe('is answered', () => {
  test('row 42: a redirect is an answer, and is not followed', async () => {
    const elsewhere = await here.script('{}');
    for (const status of [301, 302, 307, 308]) {
      const script = await here.script({ status, headers: { location: elsewhere.url.href } });
      expect(await http(script.url, { overallMs: 5000 }).send('order', ORDER)).toMatchObject({
        kind: 'answered',
        status,
      });
    }
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('row 41: nothing compressed is asked for, and nothing is inflated', async () => {
    const script = await here.script({ headers: { 'content-encoding': 'gzip' }, body: Buffer.from([0x1f, 0x8b, 8]) });
    const sent = await http(script.url, { overallMs: 5000 }).send('order', ORDER);
    expect(script.requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(sent).toMatchObject({ kind: 'answered', body: Buffer.from([0x1f, 0x8b, 8]) });
  });

  test('with status, headers and the very bytes', async () => {
    const script = await here.script({ status: 400, headers: { 'x-said': 'no' }, body: '{"error": "é"}' });
    const sent = await http(script.url, { overallMs: 5000 }).send('order', ORDER);
    expect(sent).toMatchObject({ status: 400, headers: { 'x-said': 'no' }, body: Buffer.from('{"error": "é"}') });
    expect(script.requests[0]).toMatchObject({ method: 'POST', path: '/order', body: ORDER.body });
  });
});
