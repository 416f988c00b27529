import { describe, expect, it } from 'vitest';
import type { Account } from '../../src/core/account/account.js';
import { emptyPosition } from '../../src/core/account/position.js';
import type { AccountId, VenueName } from '../../src/core/ids.js';
import type { Scope, Snapshot } from '../../src/core/ledger/decision.js';
import { NO_LIMITS } from '../../src/core/limits/limits.js';
import { NO_GROUP, NOTHING_WORKING } from '../../src/core/limits/risk.js';
import { ALICE, BOB, MARKET, shares, usdc } from '../support/builders.js';
import type { TestedLedger } from './opened.js';

const WHOLE = { paper: true, strategyId: null } as const;
const HELD = {
  account: ALICE,
  paper: true,
  venue: 'polymarket' as VenueName,
  marketId: MARKET,
  outcome: 'YES',
  strategyId: null,
} as const;

const limited = (account: AccountId): Account => ({
  id: account,
  liveEnabled: false,
  halt: null,
  limits: { ...NO_LIMITS, openOrders: 5 },
});

/** Reads what is at risk where the account has limits. */
const scopeOf = (account: AccountId, also: Partial<Scope> = {}): Scope => ({
  account,
  second: ({ account: { limits } }) => (limits === undefined ? {} : { risks: [WHOLE] }),
  ...also,
});

const atRisk = (now: Snapshot): number => [...now.risks(WHOLE)].length;

/** The second part of a scope, on several handles of the same store. */
export function ledgerSecondParts(open: () => readonly TestedLedger[]): void {
  const handle = (n = 0): TestedLedger => {
    const all = open();
    return all[n % all.length] as TestedLedger;
  };
  const hold = () =>
    handle().write({ account: ALICE, positions: [HELD] }, () => ({
      result: null,
      positions: [
        {
          ...emptyPosition(HELD),
          shares: shares('10'),
          cost: usdc('4'),
          risk: { group: NO_GROUP, working: NOTHING_WORKING },
        },
      ],
    }));
  const limit = (account: AccountId) =>
    handle().write({ account }, () => ({ result: null, accounts: [limited(account)] }));

  describe('the second part of a scope', () => {
    it('is named by the row of the account', async () => {
      await hold();
      const both = async () => [
        await handle().write(scopeOf(ALICE), (now) => ({ result: atRisk(now) })),
        await handle().read(scopeOf(ALICE), atRisk),
      ];
      expect(await both()).toEqual([0, 0]);
      await limit(ALICE);
      expect(await both()).toEqual([1, 1]);
    });

    it('is read for a decision after a change in the same group', async () => {
      await hold();
      const seen = await Promise.all([
        handle().write(scopeOf(ALICE), (now) => ({ result: atRisk(now) })),
        limit(ALICE),
        handle().write(scopeOf(ALICE), (now) => ({ result: atRisk(now) })),
      ]);
      expect(seen).toEqual([0, null, 1]);
    });

    it('has what decisions of the same group before it changed', async () => {
      await limit(ALICE);
      const [, seen] = await Promise.all([hold(), handle().write(scopeOf(ALICE), (now) => ({ result: atRisk(now) }))]);
      expect(seen).toBe(1);
    });

    // A deadlock would cost a second, again and again.
    it('never deadlocks when two writes lock accounts in opposite order', async () => {
      await Promise.all([limit(ALICE), limit(BOB)]);
      await hold();
      const writeOne = (n: number, own: AccountId, other: AccountId) =>
        handle(n).write(scopeOf(own, { logs: [other] }), (now) => ({
          result: atRisk(now),
          accounts: [{ ...now.account, liveEnabled: !now.account.liveEnabled }],
        }));
      const writeAll = async (n: number, own: AccountId, other: AccountId) => {
        const seen = new Set<number>();
        for (let count = 0; count < 40; count += 1) seen.add(await writeOne(n, own, other));
        return [...seen];
      };
      expect(await Promise.all([writeAll(0, ALICE, BOB), writeAll(1, BOB, ALICE)])).toEqual([[1], [0]]);
    });
  });
}
