import { describe, expect, it } from 'vitest';
import { emptyPosition, type Position } from '../../src/core/account/position.js';
import type { AccountId, MarketId } from '../../src/core/ids.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { usdc } from '../support/builders.js';

function aPosition(account: string, marketId: string, outcome: Position['outcome'], changes: Partial<Position> = {}) {
  const key = {
    account: account as AccountId,
    paper: false,
    venue: NO_VENUE,
    marketId: marketId as MarketId,
    outcome,
    strategyId: null,
  };
  return { ...emptyPosition(key), returned: usdc('5'), redeemable: usdc('2'), ...changes };
}

async function put(ledger: Ledger, ...positions: Position[]): Promise<void> {
  for (const position of positions)
    await ledger.write({ account: position.account }, () => ({ result: null, positions: [position] }));
}

export function ledgerRedeemable(open: () => Ledger): void {
  describe('of what may be redeemed, a ledger', () => {
    it('lists the positions of all accounts by account, market and token, paged', async () => {
      const ledger = open();
      const sorted = [
        aPosition('alice', 'a', 'NO'),
        aPosition('alice', 'a', 'YES'),
        aPosition('alice', 'b', 'NO'),
        aPosition('alice-2', 'a', 'NO'),
        aPosition('bob', 'a', 'YES'),
      ];
      const others = [
        aPosition('alice', 'c', 'NO', { redeemable: usdc('0') }),
        aPosition('bob', 'b', 'YES', { returned: usdc('0'), redeemable: usdc('0') }),
      ];
      await put(ledger, ...others, ...sorted.toReversed());
      expect(await ledger.listRedeemable({ limit: 50 })).toEqual(sorted);
      for (const [i, after] of sorted.entries()) {
        expect(await ledger.listRedeemable({ limit: 2, after })).toEqual(sorted.slice(i + 1, i + 3));
      }
    });

    it('lists a position no more once it was redeemed', async () => {
      const ledger = open();
      const position = aPosition('alice', 'a', 'YES');
      await put(ledger, position);
      await put(ledger, { ...position, redeemable: usdc('0') });
      expect(await ledger.listRedeemable({ limit: 5 })).toEqual([]);
    });
  });
}
