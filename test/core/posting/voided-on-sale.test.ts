import { expect, test } from 'vitest';
import { shares, usdc } from '../../support/builders.js';
import { liveFixture } from '../../support/live-fixture.js';

test('a purchase is accepted while an undone trade leaves a sale uncovered', async () => {
  const { place, fill, record, trading } = await liveFixture();
  const bought = await fill(await place(), { tradeId: 't1' });
  const sale = await place({ side: 'SELL' });
  await record(bought, { type: 'fill_voided', tradeId: 't1', resting: false, reason: 'it failed on the chain' });
  expect((await trading.money(sale)).position).toMatchObject({ shares: 0n, reserved: shares('20') });
  expect(await place({ size: usdc('5') })).toMatchObject({ state: 'open' });
  expect(await place({ side: 'SELL', size: usdc('1') })).toMatchObject({
    state: 'denied',
    refusal: { code: 'insufficient_position' },
  });
});
