import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { EventStream } from '../../../src/adapters/http/event-stream.js';
import { StreamPages } from '../../../src/adapters/http/stream-pages.js';
import type { VenueName } from '../../../src/core/ids.js';
import type { Page } from '../../../src/core/ledger/query.js';
import type { EventPage } from '../../../src/core/usecases/accounts/read-events.js';
import { ALICE, NOON, usdc } from '../../support/builders.js';

const LAST = 5000;

/** A log that counts how far it was read. */
class ReadLog {
  read = 0;

  async range() {
    return { first: 1, last: LAST };
  }

  async page(_: unknown, __: unknown, { after = 0, limit }: Page<number>): Promise<EventPage> {
    const data = {
      kind: 'cash',
      moved: { paper: false, venue: 'x'.repeat(1000) as VenueName, amount: usdc('1') },
    } as const;
    const items = Array.from({ length: limit }, (___, n) => {
      return { id: 'an id', seq: after + n + 1, type: 'cash.deposited', at: new Date(NOON), data } as const;
    });
    this.read = after + limit;
    return { items, next: this.read, head: LAST };
  }
}

test('no more than one page is read for a stalled client', async () => {
  const log = new ReadLog();
  const pages = new StreamPages(ALICE, { readEvents: log, log: { watch: () => () => {} }, knownSports: () => null });
  // Nothing leaves a response that has no connection.
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const stream = new EventStream(res, pages, { after: 0, types: null, retryMs: 1, keepAliveMs: 1 }, () => new Map());
  const ends = stream.run();
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resume) => setImmediate(resume));
  expect(log.read).toBe(100);
  res.destroy();
  res.emit('close');
  await ends;
});
