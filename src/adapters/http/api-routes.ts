import type { ManageKeys } from '../../core/usecases/accounts/manage-keys.js';
import type { UseCases } from '../../core/usecases/compose.js';
import type { WebhookUseCases } from '../../core/usecases/compose-webhooks.js';
import type { ReadServers } from '../../core/usecases/servers/read-servers.js';
import type { Pause } from '../../ports/system.js';
import { nextPiece } from './account-readings.js';
import { accountRoutes, portfolioRoutes } from './account-routes.js';
import { approvalRoutes } from './approval-routes.js';
import { betRoutes } from './bet-routes.js';
import { decisionRoutes } from './decision-routes.js';
import type { EventStreams } from './event-streams.js';
import { exportRoutes } from './export-routes.js';
import { keyRoutes } from './key-routes.js';
import { limitsRoutes } from './limits-routes.js';
import { marketRoutes } from './market-routes.js';
import { orderRoutes } from './order-routes.js';
import type { Route } from './route.js';
import { serverRoutes } from './server-routes.js';
import { type SessionRouteParts, sessionRoutes } from './session-routes.js';
import { signalRoutes } from './signal-routes.js';
import { strategyRoutes } from './strategy-routes.js';
import { eventRoutes, streamRoutes } from './stream-routes.js';
import { alarmRoutes, tradingRoutes } from './trading-routes.js';
import { webhookRoutes } from './webhook-routes.js';

/** What the interface acts with. What is null has no routes. */
export interface ApiParts extends SessionRouteParts {
  readonly use: Pick<
    UseCases,
    | 'orders'
    | 'bets'
    | 'strategies'
    | 'approvals'
    | 'markets'
    | 'accounts'
    | 'signals'
    | 'limits'
    | 'trading'
    | 'alarms'
  >;
  readonly streams: Pick<EventStreams, 'take' | 'takeMarkets'>;
  /** The sports of the known markets, without a request to the venue; null where they are not known. */
  readonly knownSports: () => readonly string[] | null;
  /** Whether some of the known markets have one net position each; by default none has. */
  readonly netsOutcomes?: () => boolean;
  /** The names of the venues; null, by default, where they are not known. */
  readonly knownVenues?: () => readonly string[] | null;
  /** Whether there is a source of market data. */
  readonly hasMarketData: boolean;
  readonly webhooks: WebhookUseCases | null;
  readonly servers: ReadServers | null;
  readonly keys: ManageKeys | null;
  /** Lets other work have its turn in the middle of a long answer; by default with the next turn of the event loop. */
  readonly pause?: Pause | undefined;
  /** Reads a duration such as `90d` into milliseconds, or throws. */
  readonly lifetime: (text: string) => number;
}

/** Every route of the interface, as the router takes them and the document lists them. */
export function apiRoutes(parts: ApiParts): Route[] {
  const { use, streams, knownSports, netsOutcomes = () => false, hasMarketData, webhooks, servers, keys } = parts;
  const { lifetime, pause = nextPiece, knownVenues = () => null } = parts;
  const { orders, bets, strategies, approvals, markets, accounts, signals, limits, trading, alarms } = use;
  return [
    ...strategyRoutes({
      createStrategy: strategies.create,
      changeStrategy: strategies.change,
      archiveStrategy: strategies.archive,
      readStrategies: strategies.read,
      knownSports,
      netsOutcomes,
      knownVenues,
    }),
    ...decisionRoutes({ evaluateStrategy: strategies.evaluate, readDecisions: strategies.decisions }),
    ...approvalRoutes(approvals),
    ...orderRoutes({ placeOrder: orders.place, cancelOrder: orders.cancel, readOrders: orders.read }),
    ...betRoutes({ readBets: bets.read, readResults: bets.results }),
    ...signalRoutes({ putSignals: signals.put, readSignals: signals.read, removeSignal: signals.remove }),
    ...marketRoutes(markets.read, hasMarketData, streams),
    ...portfolioRoutes(accounts.portfolio, pause),
    ...exportRoutes(accounts.export),
    ...limitsRoutes({ readLimits: limits.read, changeLimits: limits.change }),
    ...eventRoutes({ readEvents: accounts.events, knownSports }),
    ...streamRoutes(streams),
    ...tradingRoutes(trading),
    ...alarmRoutes(alarms.read),
    ...accountRoutes(accounts.resetPaper),
    ...(webhooks === null ? [] : webhookRoutes(webhooks)),
    ...sessionRoutes(parts),
    ...(servers === null ? [] : serverRoutes(servers)),
    ...(keys === null ? [] : keyRoutes(keys, lifetime)),
  ];
}
