import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/core/ids.js';
import type { AccountEvent } from '../../src/core/ledger/event-log.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, BOB } from '../support/builders.js';
import { trading } from '../support/trading.js';
import { logOf } from './ledger-log.js';

/** Follows a log by its wake-ups alone: it reads once for each, and never else. */
function followed(ledger: Ledger, account: AccountId) {
  const seen: AccountEvent[] = [];
  let [reads, wakes] = [Promise.resolve(), 0];
  const read = async () => {
    for (let page: readonly AccountEvent[] = []; ; seen.push(...page)) {
      page = await ledger.log.list(account, {}, { limit: 3, after: seen.at(-1)?.seq ?? 0 });
      if (page.length === 0) return;
    }
  };
  const end = ledger.log.watch(account, () => {
    wakes += 1;
    reads = reads.then(read);
  });
  return { seen, end, wakes: () => wakes, reads: () => reads };
}

const has = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resume) => setTimeout(resume, 5));
};

/** What wakes those who wait for events: the commits through each of the handles, for whoever waits at any of them. */
export function logWatch(open: () => readonly Ledger[]): void {
  describe('a reader that waits for events', () => {
    it('sees all commits of its account, and is not woken for others', async () => {
      const ledgers = open();
      const [alice, bob] = [followed(ledgers[0] as Ledger, ALICE), followed(ledgers[0] as Ledger, BOB)];
      for (const ledger of ledgers) {
        const places = Array.from({ length: 10 }, () => trading(ledger).place());
        await Promise.all(places);
        const log = await logOf(ledger);
        // Before the next one commits: a read that is still to come would see that too, without being woken for it.
        await has(() => alice.seen.length === log.length);
        expect(alice.seen).toEqual(log);
        await alice.reads();
      }
      expect(bob.wakes()).toBe(0);
      for (const one of [alice, bob]) one.end();
      await alice.reads();
    });

    it('is woken at once by its own process, until it leaves', async () => {
      const ledger = open()[0] as Ledger;
      const [stays, leaves] = [followed(ledger, ALICE), followed(ledger, ALICE)];
      await trading(ledger).place();
      expect(leaves.wakes()).toBeGreaterThan(0);
      leaves.end();
      const before = { stays: stays.wakes(), leaves: leaves.wakes() };
      await trading(ledger).place();
      expect(stays.wakes()).toBeGreaterThan(before.stays);
      expect(leaves.wakes()).toBe(before.leaves);
      stays.end();
      await Promise.all([stays.reads(), leaves.reads()]);
    });
  });
}
