import { expect, test } from 'vitest';
import { hangsUp } from '../support/fake-venue/faults.js';
import {
  DATABASES,
  endFixture,
  liveOrders,
  placeLive,
  repeatLive,
  startFixture,
  wrongsInTheEnd,
} from './live-crashes.js';

const TOGETHER = 20;

test.for(DATABASES)('on %s, one key is one order although the exchange hangs up', async ([, fresh]) => {
  const fixture = await startFixture(await fresh());
  const { venue, server } = fixture;
  venue.always('POST /order', hangsUp());
  const first = await Promise.all(Array.from({ length: TOGETHER }, () => placeLive(fixture, 'fills', 'one key')));
  expect(first.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(
    first.filter(({ headers, status }) => status === 201 && headers['idempotency-replayed'] === undefined).length,
  ).toBe(1);
  const ids = await Promise.all(first.map(async () => (await repeatLive(fixture, 'fills', 'one key')).id));
  expect(new Set(ids).size).toBe(1);
  expect(await wrongsInTheEnd(fixture, first)).toEqual([]);
  expect((await liveOrders(server.client)).map(({ id, status }) => [id, status])).toEqual([[ids[0], 'filled']]);
  expect(venue.log.statuses('POST /order')).toEqual([null]);
  expect(venue.log.accepted.size).toBe(1);
  await endFixture(fixture);
});
