import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { type Balance, PAPER_CASH } from '../../src/core/account/account.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Snapshot } from '../../src/core/ledger/decision.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ledgerContract } from '../../src/testing/index.js';
import { seenAs } from '../support/seen-as.js';

const honest = ledgerContract(async () => ({ ledger: new MemoryLedger() }));

/** Stores that break a promise each: the promise, and how they answer. */
const LIARS: readonly (readonly [promise: RegExp, lie: (ledger: Ledger) => Partial<Ledger>])[] = [
  [/its money and its key are there/, () => ({ listEvents: async () => [] })],
  [/another account/, (ledger) => ({ findOrder: (_, id) => ledger.findOrder('trier' as AccountId, id) })],
  [/none spends it twice/, (ledger) => ({ write: slowly(ledger) })],
  [/newest first/, (ledger) => ({ listOrders: async (...asked) => (await ledger.listOrders(...asked)).toReversed() })],
  [/every version/, () => ({ listVersions: async () => [] })],
  [/forgotten/, () => ({ forgetExpiredRequests: async () => 0 })],
  [/hold together/, () => ({ listMarketsInUse: async () => [] })],
];

/** Decides on what was there before any other write. */
function slowly(ledger: Ledger): Ledger['write'] {
  return async (scope, decide) => {
    const before = await ledger.findBalance(scope.account, PAPER_CASH);
    return ledger.write(scope, (now) => decide(withBalance(now, before)));
  };
}

function withBalance(now: Snapshot, balance: Balance | undefined): Snapshot {
  return new Proxy(now, {
    get(target, name) {
      const member: unknown = name === 'balance' ? () => balance : Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

describe('The ledger contract', () => {
  it.each(honest)('passes an honest store: $name', ({ check }) => expect(check()).resolves.toBeUndefined());

  it.each(LIARS)('catches a store that violates it: %s', async (promise, lie) => {
    const checks = ledgerContract(async () => {
      const ledger = new MemoryLedger();
      return { ledger: seenAs(ledger, lie(ledger)) };
    });
    await expect(checks.find(({ name }) => promise.test(name))?.check()).rejects.toThrow();
  });
});
