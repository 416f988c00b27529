import { expect, test } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.js';
import { STREAM, startApp } from '../../support/app.js';
import { EventReader } from '../../support/event-reader.js';

const MOST = 100;

test('a server has 1,000 streams by default; one too many is 429', async () => {
  const { streamLimits } = readConfig({});
  expect(streamLimits.total).toBe(1000);
  const app = await startApp({ streams: { limits: { ...streamLimits, total: MOST } } });
  const of = (account: number) => app.client.as({ 'x-dev-user': `user-${account}` });
  const isOpen = ({ text, hasEnded }: EventReader) => text.includes('caught_up') || hasEnded;
  const readers = Array.from({ length: MOST }, (_, n) => new EventReader(of(n >> 3), STREAM));
  await Promise.all(readers.map((reader) => reader.until(isOpen)));
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await of(MOST).get(STREAM);
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('too-many-streams')]);
  readers[0]?.close();
  await expect.poll(() => app.streams.size).toBe(MOST - 1);
  const next = await new EventReader(of(MOST), STREAM).until(isOpen);
  expect(next.status).toBe(200);
  for (const reader of [...readers, next]) reader.close();
});
