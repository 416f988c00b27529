import type { BetMeasuring } from '../../ports/bet-measuring.js';
import type { Ledger } from '../../ports/ledger.js';
import type { SignalSource } from '../../ports/signals.js';
import type { InBackground, Pause } from '../../ports/system.js';
import type { AccountId } from '../ids.js';
import type { OrderContext } from '../posting/trading-stop.js';
import type { SignalNews } from '../signal/signal.js';
import type { Proposer } from '../strategy/conditions/candidate.js';
import type { SkipLimits } from '../strategy/record/recent-skips.js';
import type { Strategy } from '../strategy/strategy.js';
import type { Venues } from '../venues/venues.js';
import type { QuoteSource } from './accounts/read-portfolio.js';
import type { MarkEquity } from './limits/mark-equity.js';
import type { OrderPlacement } from './orders/order-placement.js';
import type { FollowedMarkets } from './strategies/background/watched-markets.js';

/** The ports that every use case is made of. */
export interface UseCasePorts extends OrderContext {
  readonly ledger: Ledger;
  readonly venues: Venues;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: QuoteSource;
  /** What accounts are worth, for all use cases of one program; by default marks that only those made with these ports share. */
  readonly marks?: MarkEquity;
  /** Puts orders on record, for all use cases of one program; by default one that only those made with these ports share. */
  readonly placement?: OrderPlacement;
  /** The markets that are followed, for all use cases of one program; by default those of the use cases made with these ports. */
  readonly followed?: FollowedMarkets;
  /** Where the reports of a venue are put on record; by default the ledger. */
  readonly reports?: Pick<Ledger, 'write'>;
  /** Who is asked for the signals that rules name; by default the store of the ledger. */
  readonly signals?: SignalSource;
  /** Accounts whose logs report what is wrong with the whole service, beside those that trade with real money. */
  readonly alarmReaders?: readonly AccountId[];
  /** The name of the zone of `dayOf`, by which results are divided into days; UTC if absent. */
  readonly dayZone?: string | undefined;
  /** Measures bets where results need all of them; without it, the thread that asks for them does. */
  readonly measuring?: BetMeasuring | undefined;
  /** How many strategies of an account may have automation; absent for any number. */
  readonly automatedPerAccount?: number;
  /** How many outcomes of markets the strategies of an account may watch, each counted for each strategy; absent for any number. */
  readonly watchedPerAccount?: number;
  /** Whether each account trades as if there were no other; by default accounts share what one program can do at once. */
  readonly accountsAlone?: boolean;
  /** Whether outcomes that rules leave out by time or price are counted as skips, now and then. */
  readonly countsLeftOut?: boolean;
  /** The function that decides in place of the rules of a strategy; without one, or where it is undefined, the rules do. */
  readonly proposerOf?: ((strategy: Strategy) => Proposer | undefined) | undefined;
  /** How many skips are remembered; by default as many as a server shows. */
  readonly skipLimits?: SkipLimits;
  /** Has strategies look at once where a signal was put; without it, with the next change of the market. */
  readonly signalNews?: SignalNews | undefined;
  /** Lets other work run in the middle of long work; by default long work is done in one piece. */
  readonly pause?: Pause | undefined;
  /** Runs what a feed of market data is not to wait for; by default it waits. */
  readonly inBackground?: InBackground | undefined;
}
