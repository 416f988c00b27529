import { type Market, type OutcomeSide, outcomeOf } from '../../../core/market/market.js';
import type { Redemption } from '../../../ports/venue.js';

/** The contracts that turn shares into pUSD, on Polygon (`polymarket.md` 1). */
const ADAPTERS = {
  standard: ['CTF collateral adapter', '0xAdA100Db00Ca00073811820692005400218FcE1f'],
  negRisk: ['neg-risk CTF collateral adapter', '0xadA2005600Dec949baf300f4C6120000bDB6eAab'],
} as const;

/** Reads the wallet's current balance of a token, in millionths of a share, not a cached one; null when unavailable. */
export type FreshBalance = (tokenId: string) => Promise<bigint | null>;

/**
 * Redeems nothing itself: gives instructions, and detects by the wallet's balance whether it was done (`polymarket.md` 7).
 */
export class PolymarketRedemption implements Redemption {
  /** @param wallet the address that holds the shares; null when it is not known here. */
  constructor(
    private readonly wallet: string | null,
    private readonly balanceOf: FreshBalance,
  ) {}

  instructions(market: Market): readonly string[] {
    const { conditionId, terms } = market;
    const condition = conditionId ?? market.id;
    const adapters = terms === null ? [ADAPTERS.standard, ADAPTERS.negRisk] : [adapterOf(terms.negRisk)];
    const named = adapters.map(([name, address]) => `the ${name} ${address}`).join(' or, for a neg-risk market, ');
    const wallet = this.wallet === null ? 'the wallet that holds the shares' : `the wallet ${this.wallet}`;
    return [
      `Redeem condition ${condition} for ${wallet} on Polygon: on the venue's website, or through ${named}.`,
      'A plain wallet pays the gas itself; a proxy, Safe or deposit wallet does it through the relayer.',
      'The books follow once the wallet no longer holds shares of the outcome.',
    ];
  }

  async isRedeemed(market: Market, side: OutcomeSide): Promise<boolean | null> {
    const outcome = outcomeOf(market, side);
    const balance = outcome === null ? null : await this.balanceOf(outcome.tokenId);
    return balance === null ? null : balance === 0n;
  }
}

const adapterOf = (negRisk: boolean) => (negRisk ? ADAPTERS.negRisk : ADAPTERS.standard);
