import { describe, expect, it } from 'vitest';
import { openBalance } from '../../src/core/account/account.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, aStrategy, BOB, LIVE_CASH, NOON, usdc } from '../support/builders.js';
import { trading } from '../support/trading.js';

const [CAROL, DAVE, ERIN, FAYE] = ['carol', 'dave', 'erin', 'Faye'] as const;
const named = (name: string) => name as AccountId;

/** One account of every kind: with paper trades, a strategy, a key, or real money. */
async function settled(ledger: Ledger): Promise<void> {
  await trading(ledger).place({ account: ALICE });
  const strategy = aStrategy({ account: BOB });
  await ledger.write({ account: BOB }, () => ({ result: null, strategies: [strategy] }));
  const key = { id: 'key001', account: named(CAROL), scopes: [], digest: '0'.repeat(64) };
  const dates = { createdAt: new Date(NOON), expiresAt: null, revokedAt: null };
  await ledger.write({ account: ALICE, logs: [key.account] }, () => ({ result: null, keys: [{ ...key, ...dates }] }));
  const halt = { code: 'halted_by_operator', message: 'Stop.', at: new Date(NOON) };
  const recorded = [
    { id: named(DAVE), liveEnabled: true, halt: null },
    { id: named(ERIN), liveEnabled: false, halt },
  ];
  for (const account of recorded)
    await ledger.write({ account: account.id }, () => ({ result: null, accounts: [account] }));
  const balance = openBalance(named(FAYE), LIVE_CASH, usdc('1'));
  await ledger.write({ account: named(FAYE) }, () => ({ result: null, balances: [balance] }));
}

export function ledgerAccounts(open: () => Ledger): void {
  describe('accounts', () => {
    it('with any record are listed by name, page by page', async () => {
      const ledger = open();
      expect(await ledger.listAccounts({}, { limit: 9 })).toEqual([]);
      await settled(ledger);
      const all = [FAYE, ALICE, BOB, CAROL, DAVE, ERIN];
      expect(await ledger.listAccounts({}, { limit: 9 })).toEqual(all);
      expect(await ledger.listAccounts({}, { limit: 2, after: ALICE })).toEqual([BOB, CAROL]);
    });

    it('are found by nothing but the whole name', async () => {
      const ledger = open();
      await settled(ledger);
      expect(await ledger.listAccounts({ name: named(CAROL) }, { limit: 1 })).toEqual([CAROL]);
      for (const wrong of ['Carol', 'caro', 'carol2', '%', ''])
        expect(await ledger.listAccounts({ name: named(wrong) }, { limit: 1 })).toEqual([]);
    });

    it('that involve real money are listed separately from the rest', async () => {
      const ledger = open();
      await settled(ledger);
      expect(await ledger.listAccounts({ live: true }, { limit: 9 })).toEqual([FAYE, DAVE, ERIN]);
      expect(await ledger.listAccounts({ live: true }, { limit: 1, after: named(FAYE) })).toEqual([DAVE]);
    });
  });
}
