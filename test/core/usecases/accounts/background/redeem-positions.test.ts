import { describe, expect, it } from 'vitest';
import { MarketDataUnavailable } from '../../../../../src/core/errors.js';
import { NO_WON, SPLIT, YES_WON } from '../../../../../src/core/market/lifecycle.js';
import type { Market, OutcomeSide } from '../../../../../src/core/market/market.js';
import { RedeemPositions } from '../../../../../src/core/usecases/accounts/background/redeem-positions.js';
import { aMarket, BOB, usdc } from '../../../../support/builders.js';
import { liveFixture } from '../../../../support/live-fixture.js';

/** A stage with something to redeem, and a wallet that holds it, or does not, or is not known to. */
async function redeeming(payout = YES_WON, looks?: number) {
  const fixture = await liveFixture();
  await fixture.bought();
  await fixture.settle(payout);
  const wallet = {
    empty: null as boolean | null,
    asked: [] as OutcomeSide[],
    meanwhile: async () => {},
    find: async (): Promise<Market | undefined> => aMarket(),
  };
  const redemption = {
    instructions: () => [],
    isRedeemed: async (_: Market, outcome: OutcomeSide) => {
      wallet.asked.push(outcome);
      await wallet.meanwhile();
      return wallet.empty;
    },
  };
  const venues = { find: () => wallet.find(), redemptionAt: () => redemption };
  const redeem = new RedeemPositions(fixture.ledger, venues, fixture.context, looks);
  return { ...fixture, wallet, redeem: () => redeem.execute() };
}

describe('What a result paid, with real money', () => {
  it('becomes cash once it is redeemed, and only once', async () => {
    const { wallet, redeem, books } = await redeeming(YES_WON, 1);
    wallet.empty = true;
    expect(await redeem()).toBe(1);
    const once = await books();
    expect(once).toMatchObject({ cash: usdc('1010'), redeemable: 0n, realised: usdc('10') });
    expect(once.causes).toEqual(['fill', 'settlement', 'redemption']);
    expect(await redeem()).toBe(0);
    expect(await books()).toEqual(once);
    expect(wallet.asked).toEqual(['YES']);
  });

  it('becomes cash only when three checks in a row agree', async () => {
    const { wallet, redeem } = await redeeming();
    const reported = [];
    for (const empty of [true, true, null, true, true, false, true, true, true]) {
      wallet.empty = empty;
      reported.push(await redeem());
    }
    expect(reported).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('is counted again for what is won later in the same outcome', async () => {
    const { wallet, redeem, bought, settle } = await redeeming();
    wallet.empty = true;
    const reported = [await redeem(), await redeem(), await redeem(), await redeem()];
    await bought({ account: BOB });
    await settle(YES_WON);
    expect([...reported, await redeem()]).toEqual([0, 0, 1, 0, 0]);
  });

  it.each([false, null])('stays as it is while the answer is %s', async (empty) => {
    const { wallet, redeem, books } = await redeeming(YES_WON, 1);
    const before = await books();
    wallet.empty = empty;
    expect(await redeem()).toBe(0);
    expect(wallet.asked).toEqual(['YES']);
    expect(await books()).toEqual(before);
  });

  it('stays unchanged while its market cannot be read, without delaying others', async () => {
    const { wallet, redeem, books } = await redeeming(YES_WON, 1);
    wallet.empty = true;
    wallet.find = async () => undefined;
    expect(await redeem()).toBe(0);
    wallet.find = () => Promise.reject(new MarketDataUnavailable());
    expect(await redeem()).toBe(0);
    expect((await books()).redeemable).toBe(usdc('20'));
  });

  it('takes one query of the wallet for all accounts', async () => {
    const { wallet, redeem, books, bought, settle } = await redeeming(YES_WON, 1);
    await bought({ account: BOB });
    await settle(YES_WON);
    wallet.empty = true;
    expect(await redeem()).toBe(2);
    expect(wallet.asked).toEqual(['YES']);
    expect((await books(BOB)).cash).toBe(usdc('1010'));
  });

  it('is not queried where the result paid nothing', async () => {
    const { wallet, redeem } = await redeeming(NO_WON, 1);
    wallet.empty = true;
    expect(await redeem()).toBe(0);
    expect(wallet.asked).toEqual([]);
  });

  it('waits for another check when more was paid during the query', async () => {
    const { wallet, redeem, books, bought, settle } = await redeeming(YES_WON, 1);
    wallet.empty = true;
    wallet.meanwhile = async () => {
      await bought();
      await settle(YES_WON);
    };
    expect(await redeem()).toBe(0);
    expect(await books()).toMatchObject({ cash: usdc('980'), redeemable: usdc('40') });
    wallet.meanwhile = async () => {};
    expect(await redeem()).toBe(1);
    expect(await books()).toMatchObject({ cash: usdc('1020'), redeemable: 0n });
  });

  it('is taken back out of cash when the result is amended later', async () => {
    const { wallet, redeem, books, settle } = await redeeming(YES_WON, 1);
    wallet.empty = true;
    await redeem();
    await settle(SPLIT);
    expect(await books()).toEqual({
      cash: usdc('990'),
      redeemable: usdc('10'),
      realised: 0n,
      held: 0n,
      causes: ['fill', 'settlement', 'redemption', 'reversal', 'settlement'],
    });
    expect(await redeem()).toBe(1);
    expect(await books()).toMatchObject({ cash: usdc('1000'), redeemable: 0n });
    await settle(NO_WON);
    expect(await books()).toMatchObject({ cash: usdc('990'), redeemable: 0n, realised: -usdc('10') });
  });
});
