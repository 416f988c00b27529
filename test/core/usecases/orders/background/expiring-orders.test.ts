import { describe, expect, it } from 'vitest';
import { NOON } from '../../../../support/builders.js';
import { fixture, SINCE, shown } from './reconcile-fixture.js';

/** An odd number of seconds: the end of every second is one. */
const SOME_MINUTES_MS = 601_000;

describe('A live GTD order whose end lies within a second', () => {
  it.each([
    ['expired at the whole second at which the venue ends it', 0, 'expired', 'expires_at has passed'],
    ['cancelled when the venue ended it sooner than that', -1, 'cancelled', 'the venue ended the order'],
  ])('counts as %s', async (_, late, state, reason) => {
    const it = await fixture();
    const expiresAt = new Date(Date.parse(NOON) + SOME_MINUTES_MS + 999);
    const order = await it.place({ timeInForce: 'GTD', expiresAt });
    it.clock.tick(SOME_MINUTES_MS + late);
    it.live.report = shown([], 'cancelled');
    await it.reconcile.execute(SINCE);
    expect(await it.now(order)).toMatchObject({ state });
    expect((await it.trading.history(order)).at(-1)?.change).toMatchObject({ reason });
  });
});
