import { describe, expect, it } from 'vitest';
import { createStakeport, formatMicro, type StakeportOptions, statusOf } from '../../src/index.js';
import { GAME, TickerExchange, TickerMarkets } from '../support/ticker-venue.js';

const BUY = { account: 'me', market: GAME, outcome: 'YES', price: '0.6', usdc: 6, paper: false } as const;

/** Ten shares for 6 dollars and 0.17 of fees, of 100 dollars, and then each share pays a dollar. */
async function won(options: Pick<StakeportOptions, 'redemption'> = {}) {
  const markets = new TickerMarkets();
  const stakeport = createStakeport({ marketData: markets, live: new TickerExchange(), ...options });
  await stakeport.accounts.allowLive('me', true);
  await stakeport.accounts.deposit('me', 100);
  const { id } = await stakeport.orders.place(BUY);
  await markets.settle('1');
  await stakeport.markets.settle();
  const { cash, redeemable } = await stakeport.portfolio.of('me', { paper: false });
  const findings = [];
  for await (const audited of stakeport.accounts.audit()) findings.push(...audited.findings);
  return {
    status: statusOf(await stakeport.orders.get('me', id)),
    cash: formatMicro(cash ?? 0n),
    redeemable: formatMicro(redeemable),
    findings,
  };
}

it('An order by hand with real money has prices where only paper orders follow its market', async () => {
  const stakeport = createStakeport({ marketData: new TickerMarkets(), live: new TickerExchange() });
  await stakeport.accounts.allowLive('me', true);
  await stakeport.accounts.deposit('me', 100);
  const prices = async (outcome: 'YES' | 'NO') => {
    await stakeport.orders.place({ ...BUY, outcome });
    const [bet] = (await stakeport.bets.list('me', { paper: false })).items;
    return [bet?.outcome, bet?.atDecision, bet?.atArrival];
  };
  expect(await prices('YES')).toEqual(['YES', null, null]);
  await stakeport.orders.place({ ...BUY, price: '0.1', paper: true });
  const now = { mid: 500_000n, best: 600_000n };
  expect(await prices('NO')).toEqual(['NO', now, now]);
  await stakeport.close();
});

describe('A result with real money at an exchange of your own', () => {
  it('is cash at once where the exchange has no redemption', async () => {
    expect(await won()).toEqual({ status: 'settled', cash: '103.83', redeemable: '0', findings: [] });
  });

  it('is redeemable when the exchange provides redemption', async () => {
    const redemption = { instructions: () => [], isRedeemed: async () => null };
    expect(await won({ redemption })).toEqual({ status: 'settled', cash: '93.83', redeemable: '10', findings: [] });
  });
});
