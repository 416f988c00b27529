import { afterEach, expect, test } from 'vitest';
import type { Allowance } from '../../../src/adapters/transport/request-budget.js';
import { MarketDataClient } from '../../../src/adapters/venue/market-data-client.js';
import { TooManyLookups } from '../../../src/core/errors.js';
import type { AccountId } from '../../../src/core/ids.js';
import { Loopback } from '../transport/loopback.js';

const ENOUGH: readonly Allowance[] = [{ prefix: '', points: 10_000 }];

const here = new Loopback();
afterEach(() => here.end());

function clientOf(url: URL, looks = ENOUGH): MarketDataClient {
  const made = new MarketDataClient(
    url,
    { read: ENOUGH, look: looks, follow: ENOUGH, result: ENOUGH },
    { overallMs: 60_000 },
  );
  here.onEnd(() => made.close());
  return made;
}

/** A read for an account of this name, from a path that has its name. */
const look = (client: MarketDataClient, name: string) =>
  client.read({ method: 'GET', path: `/${name}` }, { asker: { account: name as AccountId, purpose: 'look' } });

/** A host that answers nobody but the second account. */
const wireOf = () =>
  here.wire((socket) =>
    socket.on('data', (bytes: Buffer) => {
      if (bytes.includes('/second')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    }),
  );

test('a read is begun at once, whatever another account has waiting', async () => {
  const wire = await wireOf();
  const client = clientOf(wire.url());
  for (let n = 0; n < 200; n += 1) look(client, 'first').catch(() => {});
  await expect.poll(() => wire.count('/first')).toBe(6);
  for (let n = 0; n < 20; n += 1) expect(await look(client, 'second')).toMatchObject({ kind: 'answered' });
  expect(wire.count('/first')).toBe(6);
});

test('an account has no more waiting than it may', async () => {
  const client = clientOf((await wireOf()).url());
  let refused = 0;
  for (let n = 0; n < 1200; n += 1)
    look(client, 'first').catch((error: unknown) => {
      if (error instanceof TooManyLookups) refused += 1;
    });
  await expect.poll(() => refused).toBe(1200 - 256);
});

test('accounts over their share hold no place while they wait', async () => {
  const script = await here.script('{}');
  const client = clientOf(script.url, [{ prefix: '', points: 1000, each: 3, seconds: 25 }]);
  const hogs = Array.from({ length: 8 }, (_, n) => `hog-${n}`);
  for (const hog of hogs) for (let n = 0; n < 20; n += 1) look(client, hog).catch(() => {});
  await expect.poll(() => script.requests.length).toBe(8 * 3);
  expect(await look(client, 'second')).toMatchObject({ kind: 'answered' });
  expect(script.requests.map(({ path }) => path).slice(24)).toEqual(['/second']);
});
