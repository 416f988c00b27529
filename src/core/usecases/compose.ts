import type { Exchange } from '../../ports/exchange.js';
import type { ExternalOrders } from '../../ports/external-orders.js';
import type { KeyMaker, KeyStore } from '../../ports/key-store.js';
import type { JobQueue, Leases, Programs } from '../../ports/leases.js';
import type { Bookmarks, Ledger } from '../../ports/ledger.js';

import type { VenueAccount } from '../../ports/venue-adapter.js';
import { isPlayed } from '../concurrency/repeat.js';
import type { Program } from '../ledger/program.js';
import type { OrderContext } from '../posting/trading-stop.js';
import { AuditBooks, type AuditContext } from './accounts/audit-books.js';
import { AuditHoldings } from './accounts/audit-holdings.js';
import { RedeemPositions } from './accounts/background/redeem-positions.js';
import { SampleEquity } from './accounts/background/sample-equity.js';
import { ManageAccounts } from './accounts/manage-accounts.js';
import { ManageKeys, type RevokedKey, type RevokeKeyCommand, revokeKey } from './accounts/manage-keys.js';
import { ManageSessions, type SessionPorts } from './accounts/manage-sessions.js';
import { ReadEvents } from './accounts/read-events.js';
import { ReadPortfolio } from './accounts/read-portfolio.js';
import { ResetPaperAccount } from './accounts/reset-paper-account.js';
import { RaiseAlarms } from './alarms/background/raise-alarms.js';
import { ReadAlarms } from './alarms/read-alarms.js';
import { CloseBets } from './bets/background/close-bets.js';
import { FollowedCloses } from './bets/background/followed-closes.js';
import { KeepAllBets } from './bets/background/keep-all-bets.js';
import { KeepBets } from './bets/background/keep-bets.js';
import { ReadBets } from './bets/read-bets.js';
import { ReadResults } from './bets/read-results.js';
import { limitUseCases } from './compose-limits.js';
import { orderParts } from './compose-orders.js';
import { approvalUseCases, strategyUseCases } from './compose-strategies.js';
import { ExportRecords } from './exports/export-records.js';
import { MarketSubscriptions } from './markets/background/market-subscriptions.js';
import { RecordPrices } from './markets/background/record-prices.js';
import { SettleMarket } from './markets/background/settle-market.js';
import { SettleResults } from './markets/background/settle-results.js';
import { MarketFilters } from './markets/market-filters.js';
import { ReadMarkets } from './markets/read-markets.js';
import { LookAfterOrders } from './orders/background/look-after-orders.js';
import { ReconcileOrders } from './orders/background/reconcile-orders.js';
import { RecordReports } from './orders/background/record-reports.js';
import { RecoverOrders } from './orders/background/recover-orders.js';
import { type Replaying, ReplayOrders } from './orders/background/replay-orders.js';
import { RestoreOrders, type Restoring } from './orders/background/restore-orders.js';
import { PlaceOrder } from './orders/place-order.js';
import { ReadOrders } from './orders/read-orders.js';
import { ReadServers } from './servers/read-servers.js';
import { CompleteSignal } from './signals/complete-signal.js';
import { PutSignals } from './signals/put-signals.js';
import { ReadSignals } from './signals/read-signals.js';
import { RemoveSignal } from './signals/remove-signal.js';
import { ReduceForNow } from './trading/background/reduce-for-now.js';
import { CancelInScope } from './trading/cancel-in-scope.js';
import { ReadTrading } from './trading/read-trading.js';
import { SetTradingState } from './trading/set-trading-state.js';
import type { UseCasePorts } from './use-case-ports.js';

/** All use cases on these ports, grouped by subject. */
export type UseCases = ReturnType<typeof useCases>;

/**
 * Makes all use cases from ports: the one place that knows what each of them needs. What only some deployments have, such as
 * real money or API keys, is in the functions below.
 *
 * @example
 * ```ts
 * import { createStakeport, usdc } from 'stakeport';
 * import { useCases } from 'stakeport/core';
 *
 * const { ports } = createStakeport();
 * const { strategies, orders, markets, accounts } = useCases({ ...ports, openingCash: usdc('50') });
 * ```
 */
export function useCases(ports: UseCasePorts) {
  const { ledger, venues, clock, wallClock, quotes = venues } = ports;
  const { marks, placement, submit, cancel, followed } = orderParts(ports);
  const shared = { ...ports, marks, placement, followed };
  const markets = new MarketFilters(ledger, venues);
  const readSignals = new ReadSignals(ledger.signals, venues, markets);
  const settle = new SettleMarket(ledger, venues, ports);
  const cancelInScope = new CancelInScope(ledger, venues, cancel);
  const events = new ReadEvents(ledger, ports);
  const bets = betUseCases(shared, events, markets);
  const readMarkets = new ReadMarkets(venues, ports.clock, ledger.prices);
  return {
    orders: {
      submit,
      cancel,
      place: new PlaceOrder(ledger, venues, submit, shared),
      read: new ReadOrders(ledger, markets),
      recordReports: new RecordReports(ports.reports ?? ledger, ports),
      recover: new RecoverOrders(ledger, venues, submit, ports),
    },
    strategies: strategyUseCases(shared),
    approvals: approvalUseCases(shared),
    signals: {
      put: putUseCase(ports),
      read: readSignals,
      remove: new RemoveSignal(ledger.signals, readSignals),
    },
    trading: {
      set: new SetTradingState(ledger, cancelInScope, wallClock),
      read: new ReadTrading(ledger, wallClock),
      reduceForNow: new ReduceForNow(ledger, wallClock),
    },
    markets: {
      read: readMarkets,
      subscriptions: new MarketSubscriptions(readMarkets, followed, ports),
      recordPrices: new RecordPrices(ledger.prices, venues, clock, ports.pause),
      settle,
      settleResults: new SettleResults(ledger, venues, settle, clock, !isPlayed(clock)),
    },
    alarms: { raise: new RaiseAlarms(ledger, wallClock, ports.alarmReaders ?? []), read: new ReadAlarms(ledger) },
    limits: limitUseCases(ports, marks, cancelInScope),
    bets,
    accounts: {
      ...accountUseCases(ledger, ports),
      portfolio: new ReadPortfolio(ledger, quotes, ports),
      events,
      export: new ExportRecords(ledger, bets.keep, ports.pause),
      resetPaper: new ResetPaperAccount(ledger, cancel, ports),
      sampleEquity: new SampleEquity(ledger, quotes, clock, ports.pause),
    },
  };
}

function betUseCases(ports: UseCasePorts, events: ReadEvents, markets: MarketFilters) {
  const { ledger, venues, clock, quotes = venues, pause } = ports;
  const following = new FollowedCloses(venues, orderParts(ports).followed, clock);
  // A tape knows what its markets closed at; others are followed for it.
  const [closes, followed] = isPlayed(clock) ? [clock, null] : [following, following];
  const keep = new KeepBets(ledger, events, ports, closes);
  return {
    keep,
    keepAll: new KeepAllBets(ledger, keep),
    close: new CloseBets(ledger.bets, keep, closes, followed, clock),
    read: new ReadBets(ledger, keep, markets, { quotes, closes, pause }),
    results: new ReadResults(ledger, keep, { ...ports, quotes }),
  };
}

const putUseCase = ({ ledger: { signals }, venues, clock, signalNews }: UseCasePorts) =>
  new PutSignals(signals, new CompleteSignal(signals, venues), clock, undefined, signalNews);

/**
 * Makes the use cases of an operator: who may trade with real money, and whether the books agree, with themselves and with a venue. Only
 * `auditHoldings` asks one.
 */
export function accountUseCases(
  ledger: Ledger,
  context: Pick<OrderContext, 'clock' | 'ids'> & Partial<Pick<OrderContext, 'wallClock'>> & AuditContext,
) {
  return {
    manage: new ManageAccounts(ledger, context),
    audit: new AuditBooks(ledger, context),
    auditHoldings: (exchange: ConstructorParameters<typeof AuditHoldings>[1]) => new AuditHoldings(ledger, exchange),
  };
}

/** The ports of a venue that keeps the orders of a wallet. */
export interface LivePorts {
  readonly exchange: Exchange & VenueAccount;
  readonly jobs: JobQueue;
  readonly externals: ExternalOrders;
}

/** The use cases that keep the live record in line with the venue. */
export type LiveUseCases = ReturnType<typeof liveUseCases>;

/** Makes the use cases that keep the live record in line with one venue. */
export function liveUseCases(ports: UseCasePorts, { exchange, jobs, externals }: LivePorts) {
  const { ledger, venues } = ports;
  const { submit, followed } = orderParts(ports);
  return {
    lookAfter: new LookAfterOrders(ledger, jobs, venues, submit, ports),
    reconcile: new ReconcileOrders(ledger, externals, exchange, { ...ports, followed }),
    redeem: new RedeemPositions(ledger, venues, ports),
  };
}

/** Makes the use case that hands the orders on record back to an exchange that keeps them only in memory. */
export function restoreUseCase(
  { ledger, clock }: Pick<UseCasePorts, 'ledger' | 'clock'>,
  { recordReports }: Pick<UseCases['orders'], 'recordReports'>,
  exchange: Restoring,
): RestoreOrders {
  return new RestoreOrders(ledger, exchange, recordReports, clock);
}

/** Makes the use case that replays orders, where a tape is played from its beginning. */
export function replayUseCase(
  { ledger }: Pick<UseCasePorts, 'ledger'>,
  bookmarks: Bookmarks,
  exchange: Replaying,
): ReplayOrders {
  return new ReplayOrders(ledger, bookmarks, exchange);
}

/** Makes the use case that issues and revokes API keys. */
export function keyUseCases(
  { ledger, wallClock }: Pick<UseCasePorts, 'ledger' | 'wallClock'>,
  { keys, keyMaker }: { readonly keys: KeyStore; readonly keyMaker: KeyMaker },
): ManageKeys {
  return new ManageKeys(ledger, keys, keyMaker, wallClock);
}

/** Makes what revokes API keys where none are made. */
export const keyRevocation =
  ({ ledger, wallClock }: Pick<UseCasePorts, 'ledger' | 'wallClock'>, keys: KeyStore) =>
  (id: string, webhooks: RevokeKeyCommand['webhooks']): Promise<RevokedKey> =>
    revokeKey(ledger, keys, { id, webhooks, at: wallClock.now() });

/** Makes the use case that begins and ends sessions. */
export const sessionUseCases = (ports: SessionPorts): ManageSessions => new ManageSessions(ports);

/** Makes the use case that names the servers on a store; `self` is the one that asks. */
export const serverUseCases = (leases: Leases & Programs, self: Program): ReadServers => new ReadServers(leases, self);
