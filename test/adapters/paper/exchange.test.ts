import { describe, expect, it } from 'vitest';
import { PaperExchange, WHOLE_AT_LIMIT } from '../../../src/adapters/paper/paper-exchange.js';
import { exchangeContract } from '../../../src/testing/index.js';
import { anOrderDraft, History, price, shares, usdc } from '../../support/builders.js';

describe('The paper exchange', () => {
  for (const { name, check } of exchangeContract(async () => ({ exchange: new PaperExchange() }))) it(name, check);

  it.each([
    ['BUY', false, 'TAKER'],
    ['SELL', true, 'MAKER'],
  ] as const)('fills a %s whole at its limit at once, without a fee', async (side, postOnly, liquidity) => {
    const { order } = new History(anOrderDraft({ side, price: price('0.57'), size: usdc('10'), postOnly }));
    const answer = await new PaperExchange().place(order);
    const fill = { shares: shares('17.54'), price: price('0.57'), fee: 0n, liquidity, confirmed: true };
    expect(answer).toMatchObject({
      kind: 'accepted',
      rest: 'none',
      executions: [{ ...fill, model: WHOLE_AT_LIMIT }],
    });
  });
});
