import type { Ledger } from '../../../../ports/ledger.js';
import type { SignalSource } from '../../../../ports/signals.js';
import type { InBackground, Pause, Timeline } from '../../../../ports/system.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import type { SignalNews } from '../../../signal/signal.js';
import type { Proposer } from '../../../strategy/conditions/candidate.js';
import type { RecentSkips } from '../../../strategy/record/recent-skips.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { Venues } from '../../../venues/venues.js';
import type { MarkEquity } from '../../limits/mark-equity.js';
import type { PlaceBet } from '../place-bet.js';
import type { FollowedMarkets } from './watched-markets.js';

/** Receives what could not be done; it is tried again at the next change of the market, or the next refresh. */
export type OnRunnerFault = (what: string, error: unknown) => void;

/** What the runner works with. */
export interface RunnerParts {
  readonly ledger: Ledger;
  readonly venues: Venues;
  /** Where markets are followed. */
  readonly followed: FollowedMarkets;
  readonly placeBet: Pick<PlaceBet, 'execute'>;
  readonly signals: SignalSource;
  /** Reports signals that were put. */
  readonly signalNews?: SignalNews | undefined;
  /** What accounts and strategies are worth: those by which bets are placed. */
  readonly marks: Pick<MarkEquity, 'recent'>;
  /** Where skips are remembered. */
  readonly skips: RecentSkips;
  readonly context: OrderContext;
  /** Wakes it when a window opens; without one, windows are checked with the next refresh of markets. */
  readonly timeline?: Timeline;
  /** Between looks; absent, they are one piece of work. */
  readonly pause?: Pause | undefined;
  /** Runs what the feeds of markets do not wait for; absent, they wait. */
  readonly inBackground?: InBackground | undefined;
  /** How many outcomes of markets the strategies of one account may watch, each counted for each strategy; absent for any number. */
  readonly watchedPerAccount?: number | undefined;
  /** Whether each account trades as if there were no other; absent, they share places for bets and for markets that are followed. */
  readonly accountsAlone?: boolean | undefined;
  /** Whether outcomes that rules leave out are counted as skips, now and then; absent, only those that are judged. */
  readonly countsLeftOut?: boolean | undefined;
  /** The function that decides in place of the rules of a strategy; absent, or undefined, where the rules do. */
  readonly proposerOf?: ((strategy: Strategy) => Proposer | undefined) | undefined;
  readonly onFault: OnRunnerFault;
}
