import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers } from '../../../support/fake-venue/faults.js';
import { aStage, YES } from './exchange-stage.js';

let stage: Awaited<ReturnType<typeof aStage>>;
beforeEach(async () => {
  stage = await aStage({ overallMs: 1500 });
});
afterEach(() => stage.close());

describe('an order whose trades failed', () => {
  test('is over once the venue hides it', async () => {
    stage.venue.offer(YES, 'SELL', '0.5', '20');
    const order = await stage.order();
    await stage.sends(order);
    stage.venue.settleAll('FAILED');
    expect(await stage.exchange.find(order)).toMatchObject({ executions: [], rest: 'cancelled' });
  });

  test('is open while the venue shows it, or does not answer', async () => {
    const order = await stage.order();
    await stage.sends(order);
    const resting = stage.venue.snapshot(order.venueOrderId ?? '');
    stage.venue.offer(YES, 'SELL', '0.5', '20');
    stage.venue.settleAll('FAILED');
    stage.venue.script('GET /data/order/', answers(200, resting), answers(400, { error: 'no' }));
    expect(await stage.exchange.find(order)).toMatchObject({ executions: [], rest: 'open' });
    expect(await stage.exchange.find(order)).toMatchObject({ executions: [], rest: 'open' });
  });
});
