import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers } from '../../../support/fake-venue/faults.js';
import { aFixture, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture({ overallMs: 1500 });
});
afterEach(() => fixture.close());

describe('an order whose trades failed', () => {
  test('is over once the venue hides it', async () => {
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    const order = await fixture.order();
    await fixture.sends(order);
    fixture.venue.settleAll('FAILED');
    expect(await fixture.exchange.find(order)).toMatchObject({ executions: [], rest: 'cancelled' });
  });

  test('is open while the venue shows it, or does not answer', async () => {
    const order = await fixture.order();
    await fixture.sends(order);
    const resting = fixture.venue.snapshot(order.venueOrderId ?? '');
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    fixture.venue.settleAll('FAILED');
    fixture.venue.script('GET /data/order/', answers(200, resting), answers(400, { error: 'no' }));
    expect(await fixture.exchange.find(order)).toMatchObject({ executions: [], rest: 'open' });
    expect(await fixture.exchange.find(order)).toMatchObject({ executions: [], rest: 'open' });
  });
});
