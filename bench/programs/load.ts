import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { URL } from 'node:url';
import type { Answered, Requests } from '../load.js';

// Plain sockets, and no more of HTTP than the answers' length: a client library would take longer than the bare server.

/** Requests of one kind, each new. */
class Sender {
  #sent = 0;
  readonly #head: string;
  readonly #body: string;
  readonly #keys = randomUUID().slice(0, 24);

  constructor(
    private readonly requests: Requests,
    /** Which of the servers it sends to. */
    private readonly server = 0,
  ) {
    const { headers = {}, body } = requests;
    const more = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': `${body.length}` };
    this.#head = Object.entries({ ...headers, ...more })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.#body = `\r\n${body ?? ''}`;
  }

  next(host: string): string {
    const { method, paths, newKeys } = this.requests;
    const number = this.#sent++;
    const path = paths.length === 1 ? paths[0] : paths[Math.floor(Math.random() * paths.length)];
    const key = newKeys ? `idempotency-key: ${this.#keys}${number.toString(16).padStart(12, '0')}\r\n` : '';
    return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${this.#head}${this.#account()}${key}${this.#body}`;
  }

  #account(): string {
    const { accounts, isRouted, urls } = this.requests;
    if (accounts === undefined) return '';
    const servers = isRouted ? urls.length : 1;
    const drawn = Math.floor((Math.random() * accounts) / servers) * servers;
    return `x-dev-user: account-${isRouted ? drawn + this.server : drawn}\r\n`;
  }
}

/** What was answered to all connections. */
class Tally {
  readonly took: number[] = [];
  failed = 0;
  until = 0;

  add(status: string, ms: number): void {
    if (status.startsWith('2')) this.took.push(ms);
    else this.failed += 1;
  }
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One request after another on one connection, until the time is over. */
function client(url: string, sender: Sender, tally: Tally): Promise<void> {
  const { hostname, port, host } = new URL(url);
  return new Promise((done, fail) => {
    let began = 0;
    let received = '';
    const socket: Socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
    const send = () => {
      if (performance.now() >= tally.until) return socket.destroy();
      began = performance.now();
      return socket.write(sender.next(host), 'latin1');
    };
    socket.once('connect', send);
    socket.on('data', (text) => {
      received = received === '' ? String(text) : received + text;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [, length] = LENGTH.exec(received) ?? [];
      if (length === undefined) return fail(new Error(`an answer without a length: ${received.slice(0, 200)}`));
      if (received.length < end + 4 + Number(length)) return;
      tally.add(received.slice(9, 12), performance.now() - began);
      received = '';
      send();
    });
    socket.once('error', fail);
    socket.once('close', () => done());
  });
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

async function answered(requests: Requests): Promise<Answered> {
  const { urls, connections, seconds } = requests;
  const senders = urls.map((_, server) => new Sender(requests, server));
  const tally = new Tally();
  const cpu = process.cpuUsage();
  const began = performance.now();
  tally.until = began + 1000 * seconds;
  await Promise.all(
    Array.from({ length: connections }, (_, number) => {
      const server = number % urls.length;
      return client(urls[server] ?? '', senders[server] as Sender, tally);
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - began;
  const took = tally.took.sort((a, b) => a - b);
  const speed = { answered: took.length, failed: tally.failed, perSecond: (1000 * took.length) / ms };
  return { ...speed, p50: share(took, 0.5), p99: share(took, 0.99), busy: (user + system) / 1000 / ms };
}

process.on('message', (requests: Requests) => {
  answered(requests).then(
    (result) => process.send?.(result),
    (error) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
