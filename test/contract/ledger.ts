import { describe, expect, it } from 'vitest';
import { ApiKeyAuthenticator, RandomKeyMaker } from '../../src/adapters/auth/index.js';
import { ManageKeys } from '../../src/core/usecases/accounts/manage-keys.js';
import { ledgerContract as promisesOf } from '../../src/testing/index.js';
import { ALICE, aStrategy, BOB, clockAt, NOON } from '../support/builders.js';
import { trading } from '../support/trading.js';
import { ledgerBetSums } from './bet-sums.js';
import { betRaces, betStoreContract } from './bets.js';
import { bookmarks } from './bookmarks.js';
import { checkedAgain } from './checked-again.js';
import { externalOrders, externalRaces } from './external-orders.js';
import { firstPriceRaces, firstPrices } from './first-prices.js';
import { jobQueue, jobRaces } from './job-queue.js';
import { leaseRaces, leases, programs } from './leases.js';
import { ledgerAccountLimits } from './ledger-account-limits.js';
import { ledgerAccounts } from './ledger-accounts.js';
import { ledgerAlarms } from './ledger-alarms.js';
import { approvalRaces, ledgerApprovals } from './ledger-approvals.js';
import { ledgerAudit } from './ledger-audit.js';
import { ledgerDecisions, slotRaces } from './ledger-decisions.js';
import { endpointRaces, ledgerEndpoints } from './ledger-endpoints.js';
import { exitRaces, ledgerSales } from './ledger-exits.js';
import { ledgerHeldRisks } from './ledger-held-risks.js';
import { ledgerHistories } from './ledger-histories.js';
import { ledgerKeys } from './ledger-keys.js';
import { limitedBets } from './ledger-limited-bets.js';
import { ledgerLimits } from './ledger-limits.js';
import { ledgerLists } from './ledger-lists.js';
import { ledgerLog, logRaces } from './ledger-log.js';
import { ledgerMoments } from './ledger-moments.js';
import { ledgerMoney } from './ledger-money.js';
import { ledgerPrecision } from './ledger-precision.js';
import { ledgerRaces } from './ledger-races.js';
import { ledgerReads } from './ledger-reads.js';
import { ledgerRedeemable } from './ledger-redeemable.js';
import { ledgerSecondParts } from './ledger-second-parts.js';
import { ledgerSnapshots } from './ledger-snapshots.js';
import { ledgerStrategies } from './ledger-strategies.js';
import { ledgerTrading } from './ledger-trading.js';
import { ledgerVenueLists } from './ledger-venue-lists.js';
import { ledgerVoids } from './ledger-voids.js';
import { ledgerWrites } from './ledger-writes.js';
import { logWatch } from './log-watch.js';
import { type OpenedTwice, type OpenLedger, openedForEach } from './opened.js';
import { priceHistory } from './price-history.js';
import { sessions, sharedSessions } from './sessions.js';
import { signalRaces, signals } from './signals.js';

/** Everything that the `Ledger` and `KeyStore` ports promise, for any store. `open` gives an empty one each time. */
export function ledgerContract(name: string, open: OpenLedger): void {
  describe(`The ledger: ${name}`, () => {
    const opened = openedForEach(open);
    it.each(promisesOf(open))('$name', ({ check }) => expect(check()).resolves.toBeUndefined());
    ledgerWrites(() => opened().ledger);
    ledgerSnapshots(() => opened().ledger);
    ledgerPrecision(() => opened().ledger);
    ledgerStrategies(() => opened().ledger);
    ledgerLists(() => opened().ledger);
    ledgerMoments(() => opened().ledger);
    ledgerVenueLists(() => opened().ledger);
    ledgerMoney(() => opened().ledger);
    ledgerBetSums(() => opened().ledger);
    ledgerRedeemable(() => opened().ledger);
    ledgerVoids(() => opened().ledger);
    ledgerAccounts(() => opened().ledger);
    ledgerKeys(() => opened().ledger);
    ledgerLog(() => opened().ledger);
    logRaces(() => [opened().ledger]);
    logWatch(() => [opened().ledger]);
    ledgerTrading(() => [opened().ledger]);
    ledgerAlarms(() => [opened().ledger]);
    ledgerDecisions(() => opened().ledger);
    slotRaces(() => [opened().ledger]);
    ledgerSales(() => opened().ledger);
    exitRaces(() => [opened().ledger]);
    ledgerApprovals(() => opened().ledger);
    approvalRaces(() => [opened().ledger]);
    ledgerEndpoints(() => opened().ledger);
    endpointRaces(() => [opened().ledger]);
    jobQueue(() => opened().ledger);
    leases(() => opened().ledger);
    bookmarks(() => opened().ledger);
    externalOrders(() => opened().ledger);
    sessions(() => opened().ledger);
    sharedSessions(() => [opened().ledger]);
    signals(() => opened().ledger);
    signalRaces(() => [opened().ledger]);
    betStoreContract(() => opened().ledger);
    betRaces(() => [opened().ledger]);
    firstPrices(() => opened().ledger);
    priceHistory(() => opened().ledger);
    firstPriceRaces(() => [opened().ledger]);
    jobRaces(() => [opened().ledger]);
    leaseRaces(() => [opened().ledger]);
    programs(() => [opened().ledger]);
    externalRaces(() => [opened().ledger]);
    ledgerReads(() => [opened().ledger]);
    ledgerRaces(() => [opened().ledger]);
    ledgerSecondParts(() => [opened().ledger]);
    ledgerAccountLimits(() => [opened().ledger]);
    limitedBets(() => [opened().ledger]);
    ledgerHeldRisks(() => opened().ledger);
    ledgerHistories(() => opened().ledger);
    ledgerAudit(() => opened().ledger);
    ledgerLimits(() => opened().ledger);
  });
}

/** What must hold when two processes share one store: the same races, the racers split between two handles. */
export function twoLedgersContract(name: string, openTwo: () => Promise<OpenedTwice>): void {
  describe(`Two ledgers on one store: ${name}`, () => {
    const opened = openedForEach(openTwo);

    it.each(
      promisesOf(async () => {
        const { ledgers, close } = await openTwo();
        return { ledger: ledgers[0], other: ledgers[1], close };
      }),
    )('$name', ({ check }) => expect(check()).resolves.toBeUndefined());

    it('what one wrote, the other reads at once', async () => {
      const [one, other] = opened().ledgers;
      const strategy = aStrategy();
      for (const [writer, reader] of [
        [one, other],
        [other, one],
      ] as const) {
        const order = await trading(writer).place();
        expect(await reader.findOrder(order.account, order.id)).toEqual(order);
        expect(await trading(reader).money(order)).toEqual(await trading(writer).money(order));
      }
      await one.write({ account: strategy.account }, () => ({ result: null, strategies: [strategy] }));
      expect(await other.findStrategy(strategy.account, strategy.id)).toEqual(strategy);
    });

    it("a key that one revoked is refused at the other's next request", async () => {
      const [one, other] = opened().ledgers;
      const [clock, maker] = [clockAt(NOON), new RandomKeyMaker('pepper')];
      const keys = new ManageKeys(one, one, maker, clock);
      const { key, text } = await keys.create({
        by: ALICE,
        account: BOB,
        scopes: ['orders:paper'],
        lifetimeMs: null,
        idempotencyKey: null,
      });
      const credentials = { authorization: `Bearer ${text}`, devUser: undefined };
      const door = new ApiKeyAuthenticator(other, 'pepper', clock);
      expect(await door.authenticate(credentials)).toMatchObject({ kind: 'principal' });
      await keys.revoke(key.id);
      expect(await door.authenticate(credentials)).toEqual({ kind: 'invalid' });
    });

    jobRaces(() => opened().ledgers);
    slotRaces(() => opened().ledgers);
    exitRaces(() => opened().ledgers);
    approvalRaces(() => opened().ledgers);
    endpointRaces(() => opened().ledgers);
    leaseRaces(() => opened().ledgers);
    programs(() => opened().ledgers);
    externalRaces(() => opened().ledgers);
    sharedSessions(() => opened().ledgers);
    signalRaces(() => opened().ledgers);
    betRaces(() => opened().ledgers);
    firstPriceRaces(() => opened().ledgers);
    ledgerReads(() => opened().ledgers);
    checkedAgain(() => opened().ledgers);
    ledgerTrading(() => opened().ledgers);
    ledgerAlarms(() => opened().ledgers);
    logRaces(() => opened().ledgers);
    logWatch(() => opened().ledgers);
    ledgerRaces(() => opened().ledgers);
    ledgerSecondParts(() => opened().ledgers);
    ledgerAccountLimits(() => opened().ledgers);
    limitedBets(() => opened().ledgers);
  });
}
