import { expect, test } from 'vitest';
import { ALICE, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { strategyFixture } from '../../../support/strategy-fixture.js';

/** An account that holds 100 shares of a game, which it may lose 5 dollars with, and that a strategy of it follows. */
async function holding() {
  const fixture = await strategyFixture();
  const { use, game, place } = fixture;
  const show = (bids: string, asks: string) => {
    game.shown = { bids: levels(bids), asks: levels(asks) };
    return fixture.show(bids, asks);
  };
  await use.limits.change.execute({ account: ALICE, change: { dailyLossUsdc: usdc('5') }, mayLoosen: true });
  await show('0.54x1000', '0.56x1000');
  const buys = async (dollars: string) =>
    (await place({ price: price('0.54'), size: usdc(dollars) })).record.refusal?.code ?? 'placed';
  expect(await buys('54')).toBe('placed');
  return { ...fixture, show, buys };
}

test('a price fall in a followed market counts for the next order', async () => {
  const { buys, show, time, use } = await holding();
  expect(await buys('1')).toBe('placed');
  await time.pass(200);
  await show('0.48x1000', '0.56x1000');
  expect(await buys('1')).toBe('daily_loss_exceeded');
  expect((await use.trading.read.now(ALICE)).states).toMatchObject([{ state: 'halted', code: 'daily_loss_exceeded' }]);
});

test('a constantly changing market is marked at most ten times a second', async () => {
  const { buys, show, time, ledger } = await holding();
  let marks = 0;
  const read = ledger.read.bind(ledger);
  Object.assign(ledger, {
    read: (...given: Parameters<typeof read>) => {
      if (given[0].risks !== undefined && given[0].service === undefined) marks += 1;
      return read(...given);
    },
  });
  for (let n = 0; n < 40; n += 1) {
    await time.pass(10);
    await show('0.54x1000', `0.56x${1000 + n}`);
    expect(await buys('1')).toBe('placed');
  }
  expect(marks).toBeGreaterThan(2);
  expect(marks).toBeLessThan(6);
});
