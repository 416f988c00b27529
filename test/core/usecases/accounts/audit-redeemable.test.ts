import { describe, expect, it } from 'vitest';
import type { Position } from '../../../../src/core/account/position.js';
import { SPLIT, YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Usdc } from '../../../../src/core/money.js';
import { RedeemPositions } from '../../../../src/core/usecases/accounts/background/redeem-positions.js';
import { audited, found } from '../../../support/audited.js';
import { aMarket, usdc } from '../../../support/builders.js';
import { liveFixture } from '../../../support/live-fixture.js';
import { seenAs } from '../../../support/seen-as.js';

/** Alice redeemed what YES paid, and may redeem what an amended result paid instead; a strategy bought some of it. */
async function paidTwice() {
  const fixture = await liveFixture();
  const strategy = await fixture.trading.strategy({ paperOnly: false });
  await fixture.bought({}, { fee: usdc('0.1') });
  await fixture.bought({ strategyId: strategy.id });
  await fixture.settle(YES_WON);
  const redemption = { instructions: () => [], isRedeemed: async () => true };
  await new RedeemPositions(
    fixture.ledger,
    { find: async () => aMarket(), redemptionAt: () => redemption },
    fixture.context,
    1,
  ).execute();
  await fixture.settle(SPLIT);
  const seen = (changed: (position: Position) => Partial<Position>) =>
    seenAs(fixture.ledger, {
      listPositions: async (...of) =>
        (await fixture.ledger.listPositions(...of)).map((position) => ({ ...position, ...changed(position) })),
    });
  return { ...fixture, seen };
}

const more = (amount: Usdc): Usdc => (amount + 1n) as Usdc;

describe('An audit of what may be redeemed', () => {
  it('finds nothing wrong with what was paid, redeemed and amended', async () => {
    const { ledger, books } = await paidTwice();
    expect(await found(ledger)).toEqual([]);
    expect(await books()).toMatchObject({ cash: usdc('979.9'), redeemable: usdc('20') });
  });

  it('finds a position that says more than the journal', async () => {
    const { seen } = await paidTwice();
    const wrong = seen(({ strategyId, redeemable, returned }) =>
      strategyId === null ? { redeemable: more(redeemable), returned: more(returned) } : {},
    );
    expect(await found(wrong)).toEqual(['redeemable account', 'returned account']);
  });

  it('finds a position with more to redeem than results paid', async () => {
    const { seen } = await paidTwice();
    const wrong = seen(({ strategyId, redeemable }) => (strategyId === null ? { redeemable: more(redeemable) } : {}));
    const words = (await audited(wrong)).flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(words).toEqual([
      expect.stringMatching(/^What may be redeemed: on record 20\.000001, by the journal 20, 0\.000001 too much\.$/),
      expect.stringContaining('What may yet be paid for'),
      expect.stringContaining('has more to redeem than results paid'),
    ]);
  });

  it("finds redeemable amounts on a strategy's part or a paper position", async () => {
    const { seen, trading, ledger } = await paidTwice();
    const part = seen(({ strategyId }) => (strategyId === null ? {} : { redeemable: usdc('1') }));
    expect((await audited(part)).flatMap(({ findings }) => findings)).toMatchObject([
      { check: 'position', message: expect.stringContaining('which only real money does') },
    ]);
    await trading.place();
    const paper = seenAs(ledger, {
      listPositions: async (...of) =>
        (await ledger.listPositions(...of)).map((position) =>
          position.paper ? { ...position, returned: usdc('1'), redeemable: usdc('1') } : position,
        ),
    });
    const [, position] = (await audited(paper)).flatMap(({ findings }) => findings);
    expect(position).toMatchObject({ message: expect.stringContaining('which only real money does') });
  });

  it('finds an entry of a redemption that is lost', async () => {
    const { ledger } = await paidTwice();
    const wrong = seenAs(ledger, {
      listEntries: async (...of) => (await ledger.listEntries(...of)).filter(({ cause }) => cause !== 'redemption'),
    });
    expect(await found(wrong)).toEqual(['cash account', 'redeemable account']);
  });
});
