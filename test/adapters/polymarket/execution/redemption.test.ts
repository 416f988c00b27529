import { describe, expect, it } from 'vitest';
import { PolymarketRedemption } from '../../../../src/adapters/polymarket/execution/polymarket-redemption.js';
import { unlistedMarket } from '../../../../src/core/market/market.js';
import { aMarket } from '../../../support/scripted-market.js';

const WALLET = '0x1111111111111111111111111111111111111111';
const STANDARD = '0xAdA100Db00Ca00073811820692005400218FcE1f';
const NEG_RISK = '0xadA2005600Dec949baf300f4C6120000bDB6eAab';

const market = aMarket({ negRisk: false });

describe('What a result of the venue paid', () => {
  it.each([
    ['a market of its own', aMarket({ negRisk: false }), [STANDARD]],
    ['one of several of which exactly one wins', aMarket({ negRisk: true }), [NEG_RISK]],
    ['one whose kind is not known', { ...market, terms: null }, [STANDARD, NEG_RISK]],
  ])('is redeemed, in %s, through the contract for it', (_, of, contracts) => {
    const text = new PolymarketRedemption(WALLET, async () => null).instructions(of).join(' ');
    expect([STANDARD, NEG_RISK].filter((address) => text.includes(address))).toEqual(contracts);
    expect(text).toContain(`condition ${market.conditionId} for the wallet ${WALLET}`);
  });

  it('is named by its id when nothing else is known', () => {
    const text = new PolymarketRedemption(null, async () => null).instructions(unlistedMarket(market.id)).join(' ');
    expect(text).toContain(`condition ${market.id} for the wallet that holds the shares`);
  });

  it.each([
    [0n, true],
    [1n, false],
    [null, null],
  ])('is redeemed once the wallet lacks its token: %s is %s', async (balance, redeemed) => {
    const asked: string[] = [];
    const redemption = new PolymarketRedemption(WALLET, async (tokenId) => {
      asked.push(tokenId);
      return balance;
    });
    expect(await redemption.isRedeemed(market, 'NO')).toBe(redeemed);
    expect(asked).toEqual([market.outcomes?.[1].tokenId]);
  });

  it('is not known to be redeemed where the token is not known', async () => {
    const redemption = new PolymarketRedemption(WALLET, async () => 0n);
    expect(await redemption.isRedeemed(unlistedMarket(market.id), 'YES')).toBeNull();
  });
});
