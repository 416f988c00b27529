import type { ClosePrices, ClosingBet } from '../../../../ports/close-prices.js';
import type { Asker } from '../../../../ports/market-data.js';
import type { Clock } from '../../../../ports/system.js';
import type { AccountId } from '../../../ids.js';
import { type Market, marketName, refOf } from '../../../market/market.js';
import type { BetRow, ClosePrice, NoClose } from '../../../performance/bet.js';
import { type ClosingBook, closeOfBet, MarketClose } from '../../../performance/close.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Venues } from '../../../venues/venues.js';
import type { FollowedMarkets, MarketUser } from '../../strategies/background/watched-markets.js';

/** Markets are followed for their close from so long before their start. */
export const CLOSING_MS = 660_000;
/** So often it is asked anew how such a market is described: its start may move. */
export const AGAIN_MS = 60_000;
/** So soon after it failed. */
const RETRY_MS = 5000;
/** A close that was taken is remembered for so long, for bets that are made late. */
const REMEMBERED_MS = 3_600_000;

/** Uses nothing of what is kept for orders. */
const FOR_ALL: Asker = { account: null, purpose: 'look' };

/** A market that is wanted for its close, and what was known of it last. */
interface Closing {
  readonly watched: WatchedMarket;
  readonly close: MarketClose;
  /** As of its last change. */
  known: { readonly market: Market; readonly book: ClosingBook; readonly isFresh: boolean };
  /** The other markets of its exclusive set; none where they are not known. */
  others: readonly Closing[];
  isFollowed: boolean;
}

/**
 * The closes of markets that are followed for them, each for the minutes before its event. A market that was not followed when its event
 * began has none, with the reason `gap`.
 */
export class FollowedCloses implements ClosePrices {
  readonly #byName = new Map<string, Closing>();
  /** When markets that could not be followed are tried again. */
  readonly #againAt = new Map<string, number>();
  /** Markets that the venue did not have when their events had begun. */
  readonly #missing = new Set<string>();
  readonly #user: MarketUser;
  /** Counts how often it was stopped: what began before then ends. */
  #stops = 0;

  constructor(
    private readonly venues: Pick<Venues, 'find' | 'search'>,
    private readonly markets: FollowedMarkets,
    private readonly clock: Clock,
  ) {
    const changed = (watched: WatchedMarket): undefined => this.#changed(watched);
    this.#user = { changed, renewed: changed };
  }

  closeOf(bet: ClosingBet): ClosePrice | NoClose {
    const closing = this.#byName.get(marketName(bet));
    if (closing === undefined) return this.#missing.has(marketName(bet)) ? 'gap' : 'not_started';
    const now = this.clock.now().getTime();
    for (const one of [closing, ...closing.others]) this.#pass(one, now);
    if (isOfLaterStart(bet, closing)) return 'not_started';
    return closeOfBet(
      bet,
      closing.close,
      closing.others.map(({ close }) => close),
    );
  }

  /** Takes the closes of events that have begun; follows their markets no longer. */
  takeDue(): void {
    const now = this.clock.now().getTime();
    for (const [name, closing] of this.#byName) {
      this.#pass(closing, now);
      const { startsAt } = closing.watched.market;
      if (closing.close.taken !== undefined && now > (startsAt?.getTime() ?? now) + REMEMBERED_MS)
        this.#byName.delete(name);
    }
    for (const [name, at] of this.#againAt) if (at <= now) this.#againAt.delete(name);
  }

  /** Follows the markets of these bets, and the others of their exclusive sets. @throws MarketDataUnavailable for some of them */
  async want(bets: readonly BetRow[]): Promise<void> {
    const byName = new Map(bets.map((bet) => [marketName(bet), bet]));
    const asked = await Promise.allSettled([...byName.values()].map((bet) => this.#look(bet)));
    for (const one of asked) if (one.status === 'rejected') throw one.reason;
  }

  /** Those of these bets whose events begin, or began after them, by this moment as it is known now; follows their markets. */
  async sooner(bets: readonly BetRow[], horizon: Date) {
    const stops = this.#stops;
    const markets = new Map<string, Market | undefined>();
    const failures: unknown[] = [];
    const ask = async ([name, { venue, marketId }]: readonly [string, BetRow]) => {
      const known = this.#byName.get(name)?.watched.market;
      markets.set(name, known ?? (await this.venues.find({ venue, marketId }, FOR_ALL)));
    };
    for (const one of await Promise.allSettled([...new Map(bets.map((bet) => [marketName(bet), bet]))].map(ask)))
      if (one.status === 'rejected') failures.push(one.reason);
    const sooner = bets.filter((bet) => {
      const { startsAt = null } = markets.get(marketName(bet)) ?? {};
      return stops === this.#stops && startsAt !== null && startsAt <= horizon && startsAt > bet.firstFillAt;
    });
    await this.want(sooner).catch((error: unknown) => failures.push(error));
    return { bets: sooner, failures };
  }

  /** Follows and knows nothing from now on. */
  stop(): void {
    this.#stops += 1;
    for (const closing of this.#byName.values()) this.#leave(closing);
    this.#byName.clear();
    this.#againAt.clear();
    this.#missing.clear();
  }

  async #look(bet: BetRow): Promise<void> {
    const [name, now] = [marketName(bet), this.clock.now()];
    const known = this.#byName.get(name);
    if (known !== undefined && isOfLaterStart(bet, known)) this.#byName.delete(name);
    const closing = this.#byName.get(name);
    if (closing?.close.taken !== undefined || now.getTime() < (this.#againAt.get(name) ?? 0)) return;
    const stops = this.#stops;
    this.#againAt.set(name, now.getTime() + AGAIN_MS);
    const { venue, marketId, startsAt } = bet;
    try {
      const market = await this.venues.find({ venue, marketId });
      if (stops !== this.#stops) return;
      if (market !== undefined) return await this.#take(market, bet.account);
      if (closing === undefined && startsAt !== null && startsAt <= now) this.#missing.add(name);
    } catch (error) {
      this.#againAt.set(name, now.getTime() + RETRY_MS);
      throw error;
    }
  }

  /** Takes in how a market is described now, and follows it where it is time. */
  async #take(market: Market, account: AccountId): Promise<void> {
    const known = this.#byName.get(marketName(refOf(market)));
    if (known !== undefined) this.markets.renew(known.watched, market);
    const closing = known ?? this.#add(market);
    await this.#follow(closing);
    if (known !== undefined || closing.close.taken !== undefined) return;
    const stops = this.#stops;
    const others = await this.#othersOf(market, account);
    if (stops !== this.#stops) return;
    closing.others = others.map((one) => this.#byName.get(marketName(refOf(one))) ?? this.#add(one));
    await Promise.all(closing.others.map((one) => this.#follow(one)));
  }

  #add(market: Market): Closing {
    const watched = this.markets.use(market, this.#user);
    const closing: Closing = {
      watched,
      close: new MarketClose(),
      known: knownOf(watched),
      others: [],
      isFollowed: false,
    };
    // Nothing is known of the book at a start that has passed.
    if (market.startsAt === null) closing.close.none('no_start');
    else if (market.startsAt <= this.clock.now()) closing.close.none('gap');
    this.#byName.set(marketName(refOf(market)), closing);
    return closing;
  }

  async #follow(closing: Closing): Promise<void> {
    const { watched, close } = closing;
    const { startsAt } = watched.market;
    if (close.taken !== undefined) return this.#leave(closing);
    if (closing.isFollowed || startsAt === null) return;
    if (startsAt.getTime() > this.clock.now().getTime() + CLOSING_MS) return;
    closing.isFollowed = true;
    try {
      await this.markets.follow(watched, this.#user);
    } catch (error) {
      this.#byName.delete(marketName(refOf(watched.market)));
      throw error;
    }
  }

  /** The other markets of an exclusive set; none where they cannot be found. */
  async #othersOf({ venue, sport, kind, exclusiveSet, id }: Market, account: AccountId): Promise<readonly Market[]> {
    if (exclusiveSet === null || sport === null || kind === null) return [];
    const terms = { account, now: this.clock.now(), maxAgeMs: AGAIN_MS };
    const found = await this.venues.search({ sport, kind, status: 'open' }, terms).catch(() => []);
    return found.filter((one) => one.venue === venue && one.exclusiveSet === exclusiveSet && one.id !== id);
  }

  #changed(watched: WatchedMarket): undefined {
    const closing = this.#byName.get(marketName(refOf(watched.market)));
    if (closing === undefined) return;
    const now = this.clock.now().getTime();
    this.#pass(closing, now);
    const before = closing.known.market.startsAt;
    closing.known = knownOf(watched);
    closing.close.moved(before, watched.market.startsAt, now);
  }

  /** Up to now the market was as it was known last. */
  #pass(closing: Closing, now: number): void {
    const { market, book, isFresh } = closing.known;
    if (!closing.close.isDue(market.startsAt, now)) return;
    closing.close.take(market, book, isFresh);
    this.#leave(closing);
  }

  #leave({ watched }: Closing): void {
    this.markets.leave(watched.market, this.#user);
  }
}

/** Whether a bet was made once the start of before had passed and another one was known: it closes with that one. */
function isOfLaterStart({ firstFillAt, startsAt }: ClosingBet, { close }: Closing): boolean {
  const { startedAt = null } = close.taken ?? {};
  return startedAt !== null && startsAt !== null && startedAt <= firstFillAt && startedAt < startsAt;
}

function knownOf(watched: WatchedMarket): Closing['known'] {
  const [bid, ask] = [watched.best('bids'), watched.best('asks')];
  const { market, isFresh } = watched;
  return { market, isFresh, book: { best: (side) => (side === 'bids' ? bid : ask) } };
}
