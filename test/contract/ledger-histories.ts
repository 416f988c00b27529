import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { AccountId } from '../../src/core/ids.js';
import { SPLIT, YES_WON } from '../../src/core/market/lifecycle.js';
import { WHERE } from '../support/builders.js';
import { checkAudit, checkBooks, checkExportedProfit, checkHistory } from './history-oracle.js';
import { aCommand, Story } from './history-story.js';
import type { OpenedLedger } from './opened.js';

/**
 * Plays generated histories (orders, partial fills, fees, refusals, silences, cancels, expiries, confirmations, voids) and
 * after every step compares the books with the orders they come from; at the end an audit finds nothing. The venue keeps its
 * promises; all else is chance.
 */
export function ledgerHistories(open: () => OpenedLedger['ledger'], numRuns = 25): void {
  describe('in any history', () => {
    it('cash, shares and exposure add up, and each row matches its events', async () => {
      const ledger = open();
      let runs = 0;
      const commands = fc.array(aCommand, { minLength: 5, maxLength: 30, size: 'max' });
      await fc.assert(
        fc.asyncProperty(commands, async (story) => {
          runs += 1;
          const played = await new Story(ledger, `story-${runs}` as AccountId).begin();
          for (const command of story) {
            await played.play(command);
            await checkBooks(played);
          }
          for (const order of await played.orders()) checkHistory(order, await played.trader.history(order));
          await checkExportedProfit(played);
          for (const payout of [YES_WON, SPLIT]) {
            await played.trader.use.markets.settle.execute(WHERE, payout);
            await checkExportedProfit(played);
          }
        }),
        { numRuns },
      );
      await checkAudit(ledger, runs);
    });
  });
}
