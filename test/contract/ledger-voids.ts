import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ports/ledger.js';
import { found } from '../support/audited.js';
import { anExecution, shares, usdc } from '../support/builders.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { trading } from '../support/trading.js';

/** What a paper exchange over a network may report, an exchange in this process never does. */
export function ledgerVoids(open: () => Ledger): void {
  describe('of an exchange over a network, a ledger', () => {
    it('books the void of a paper purchase whose shares are on sale', async () => {
      const paper = new ScriptedExchange();
      const venues = { isLocal: () => false };
      const trader = trading(open(), { paper });
      const execution = anExecution({ tradeId: 't1', shares: shares('20') });
      const bought = await trader.book(await trader.place(), (posting) => posting.fill(execution));
      const sale = await trader.place({ side: 'SELL' });
      const went = { type: 'fill_voided', tradeId: 't1', resting: false, reason: 'it failed on the chain' } as const;
      await trader.book(bought, (posting) => posting.record(went));
      const { position, balance } = await trader.money(sale);
      expect(position).toMatchObject({ shares: 0n, reserved: shares('20') });
      expect(balance).toMatchObject({ cash: usdc('1000'), reserved: 0n });
      expect(await trader.place({ size: usdc('5') })).toMatchObject({ state: 'open' });
      expect(await trader.place({ side: 'SELL', size: usdc('1') })).toMatchObject({
        state: 'denied',
        refusal: { code: 'insufficient_position' },
      });
      expect(await found(trader.ledger, venues)).toEqual([]);
      // A command knows no venues: that the orders were sent is on record.
      expect(await found(trader.ledger, null)).toEqual([]);
      // The same books, had an exchange in this process made them, would be wrong.
      expect(await found(trader.ledger)).toEqual([expect.stringMatching(/^position .* YES$/)]);
    });
  });
}
