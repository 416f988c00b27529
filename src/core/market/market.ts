import type { MarketId, VenueName } from '../ids.js';
import { minus, NO_SHARES, notional, ONE, type Price, plus, type Shares, sharesFor, type Usdc } from '../money.js';
import type { FeeSchedule } from './fee.js';
import { FINEST_TICK } from './fee.js';
import type { MarketStatus, Payout } from './lifecycle.js';

/** YES is the market's first outcome and NO its second, by the venue's metadata, regardless of their names. */
export type OutcomeSide = (typeof OUTCOME_SIDES)[number];

/** Both, first outcome first. */
export const OUTCOME_SIDES = ['YES', 'NO'] as const;

/** One of the two outcomes of a market. */
export interface Outcome {
  /** Such as `Yes` or the name of a team; for display, never to base a decision on. */
  readonly label: string;
  /** The venue's own id of the outcome, opaque to all other code. */
  readonly tokenId: string;
}

/** The page that groups markets, such as one game. */
export interface MarketEventRef {
  readonly id: string;
  readonly slug: string | null;
  readonly title: string | null;
}

/** From this price on, prices are so many steps above it. */
export interface PriceBand {
  readonly from: Price;
  readonly step: Price;
}

/** The prices that orders may have. */
export type PriceGrid = Pick<MarketTerms, 'bands' | 'tick'>;

/** What the outcome that a market is about stands for in its game. */
export type OutcomeRole = (typeof OUTCOME_ROLES)[number];

/** All of them. */
export const OUTCOME_ROLES = ['home', 'away', 'draw'] as const;

/** The venue's rules for orders. Any of them may change while a market trades. */
export interface MarketTerms {
  /** Prices are multiples of it, from one tick to one tick below 1, unless bands say otherwise. */
  readonly tick: Price;
  /** Where steps differ by price: each band's, in ascending order, from its price to that of the next. */
  readonly bands?: readonly PriceBand[];
  /** The least time between the arrival and the end of a GTD order; 0 where it is absent. */
  readonly gtdLeadMs?: number;
  /**
   * A FOK or FAK BUY is an amount of dollars in steps of this: it gets more shares than were ordered where it fills at a better
   * price than its limit. Where it is absent, shares bound every order.
   */
  readonly quoteStep?: Usdc;
  readonly minShares: Shares;
  /** The least notional of a BUY that would match at once. */
  readonly minNotional: Usdc;
  /** Null when the venue does not report it: orders are refused then. */
  readonly fee: FeeSchedule | null;
  /** One of a set of markets; exactly one of the set resolves YES. */
  readonly negRisk: boolean;
  readonly acceptingOrders: boolean;
  /** How long an order that would match at once is held before it may. */
  readonly delaySeconds: number;
  /** True where every resting order is cancelled when the game starts. */
  readonly clearsBookAtStart: boolean;
  /**
   * True where the venue keeps one net position of the market: shares of both outcomes close each other at once, so that an account
   * holds one of them at a time. False where it is absent.
   */
  readonly netsOutcomes?: boolean;
  /** True of a suspended market whose resting orders are cancelled when it takes orders again. False where it is absent. */
  readonly endsOrdersOnResume?: boolean;
}

/** A question with two outcomes. Members that came without metadata are null. */
export interface Market {
  /** Where it trades. */
  readonly venue: VenueName;
  /** The venue's own; without metadata, the client's name for the market. */
  readonly id: MarketId;
  /** The venue's own number for it. */
  readonly venueId: string | null;
  readonly slug: string | null;
  readonly conditionId: string | null;
  readonly question: string | null;
  /** The first is YES, the second NO. */
  readonly outcomes: readonly [Outcome, Outcome] | null;
  readonly event: MarketEventRef | null;
  readonly sport: string | null;
  readonly league: string | null;
  readonly kind: MarketKind | 'other' | null;
  /** The handicap or total that the question is about, as the venue writes it. */
  readonly line: string | null;
  /** What the first outcome stands for in its game; null where that is not certain. */
  readonly role: OutcomeRole | null;
  /**
   * Names the set of markets in which exactly one resolves YES, such as home, draw and away of one game; null without a set.
   */
  readonly exclusiveSet: string | null;
  /** When the game starts. */
  readonly startsAt: Date | null;
  readonly status: MarketStatus | null;
  /** What each share pays; only once the result is confirmed. */
  readonly payout: Payout | null;
  /** Smallest step of an order's shares. */
  readonly lot: Shares;
  readonly terms: MarketTerms | null;
}

/** One hundredth of a share: the lot of a market whose sizes have two decimals. */
export const CENTI_SHARE = 10_000n as Shares;

/** A market without metadata: only the name that a client gave it is known. */
export function unlistedMarket(id: MarketId, venue = NO_VENUE): Market {
  const nothing = { venueId: null, slug: null, conditionId: null, question: null, outcomes: null, event: null };
  const missing = {
    sport: null,
    league: null,
    kind: null,
    line: null,
    role: null,
    exclusiveSet: null,
    startsAt: null,
    status: null,
    payout: null,
  };
  return { venue, id, ...nothing, ...missing, lot: CENTI_SHARE, terms: null };
}

/** True of a market of which an account holds one outcome at a time. */
export const isNetted = ({ terms }: Pick<Market, 'terms'>): boolean => terms?.netsOutcomes === true;

/** True of a market without metadata: an order may name it, but there is nothing to show. */
export const isUnlisted = ({ outcomes, question, slug, terms }: Market): boolean =>
  outcomes === null && question === null && slug === null && terms === null;

/** True of a price that an order may have: within its band a whole number of steps above the beginning, and no step from 0 or 1. */
export function isOnGrid({ tick, bands }: MarketTerms, price: Price): boolean {
  const band = bands?.findLast(({ from }) => from <= price) ?? { from: NO_PRICE, step: tick };
  return (price - band.from) % band.step === 0n && price >= band.step && price <= ONE - band.step;
}

const NO_PRICE = 0n as Price;

const OVER: readonly Market['status'][] = ['closed', 'resolving', 'disputed', 'resolved', 'amended'];

/** True of a market that is traded no longer. */
export const isTradingOver = ({ status, payout }: Pick<Market, 'status' | 'payout'>): boolean =>
  payout !== null || OVER.includes(status);

/** True of descriptions of a market that say the same, whenever they were read. */
export const sameMarket = (a: Market, b: Market): boolean => isSame(a, b);

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [membersOf(a), membersOf(b)];
  return (
    one.size === other.size && [...one].every(([name, value]) => other.has(name) && isSame(value, other.get(name)))
  );
}

/** All but when a fee was read: that is new each time. */
const membersOf = (value: object): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(value).filter(([name]) => name !== 'asOf'));

/** Names the market among those of all venues. */
export const refOf = ({ venue, id }: Market): MarketRef => ({ venue, marketId: id });

/** The outcome that `side` names, or null where the market came without metadata. */
export function outcomeOf({ outcomes }: Market, outcome: OutcomeSide): Outcome | null {
  return outcomes === null ? null : outcomes[outcome === 'YES' ? 0 : 1];
}

/** The market with another price grid; as it is while its terms are not known. */
export function withGrid(market: Market, { tick, bands }: PriceGrid): Market {
  if (market.terms === null) return market;
  const { bands: _, ...terms } = market.terms;
  return { ...market, terms: { ...terms, tick, ...(bands !== undefined && { bands }) } };
}

/** The market kinds that a rule may name. */
export const MARKET_KINDS = ['moneyline', 'spread', 'total'] as const;
/** A market kind that a rule may name. */
export type MarketKind = (typeof MARKET_KINDS)[number];

/** GTC rests, GTD rests until it expires, FOK fills whole or not at all, FAK fills what it can and drops the rest. */
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** All of them. */
export const TIMES_IN_FORCE = ['GTC', 'GTD', 'FOK', 'FAK'] as const;

/**
 * What market data does: there is `none`, it is `live`, or a tape is `waiting` for its start, `playing`, or has `ended` and says
 * nothing more.
 */
export type MarketDataState = 'none' | 'live' | 'waiting' | 'playing' | 'ended';

/** The id of a market in the interface: 1 to 128 of letters, digits and `. _ : -`. */
export const MARKET_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const BREAKS = /[\t-\r\u0085]/g;
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * The text of a venue or a file as we store it: well-formed Unicode of one line. A tab or line break becomes a space; each
 * other control character and each half of a surrogate pair becomes U+FFFD, since no two stores would keep them alike, and a
 * terminal would obey them.
 */
export const wellFormed = (text: string): string => text.replace(BREAKS, ' ').replace(UNSTORABLE, '\uFFFD');

/** The name of a venue in the interface: 1 to 32 of `a` to `z`, digits, `_` and `-`, a letter first. */
export const VENUE_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

const DEMO = '_demo';

/** True of a venue that trades play money: its name ends in `_demo`. It is a venue of its own, and its money is never added to real money. */
export const isDemo = (venue: VenueName): boolean => venue.endsWith(DEMO);

/** Which money moves, in words. */
export type MoneyKind = 'paper' | 'play money' | 'real money';

/** Which money moves at a venue. */
export const moneyAt = ({ paper, venue }: { readonly paper: boolean; readonly venue: VenueName }): MoneyKind =>
  paper ? 'paper' : isDemo(venue) ? 'play money' : 'real money';

/** The venue that this one is the demo of; itself where it is none. */
export const realVenue = (venue: string): string => (venue.endsWith(DEMO) ? venue.slice(0, -DEMO.length) : venue);

/** The venue of a market whose real venue is not known: it can be traded on paper only. */
export const NO_VENUE = 'none' as VenueName;

/** Names a market: ids are a venue's own, so that two venues may use the same one. */
export interface MarketRef {
  readonly venue: VenueName;
  readonly marketId: MarketId;
}

/** A market as one text, in the order in which markets are listed; neither part has a slash. */
export const marketName = ({ venue, marketId }: MarketRef): string => `${venue}/${marketId}`;

/** Parses such a text. */
export function marketNamed(text: string): MarketRef {
  const [venue = '', marketId = ''] = text.split('/');
  return { venue: venue as VenueName, marketId: marketId as MarketId };
}

/** Which markets to look for; an absent member does not restrict. */
export interface MarketQuery {
  /** Words of the question, the event or the slug. */
  readonly text?: string;
  readonly sport?: string;
  readonly league?: string;
  readonly kind?: MarketKind | 'other';
  /** One status, or several of which a market has one. */
  readonly status?: MarketStatus | readonly MarketStatus[];
  /** Games that start at that moment or later. */
  readonly startsAfter?: Date;
  /** Games that start before that moment. */
  readonly startsBefore?: Date;
}

/** The statuses that a query names; null where it names none. */
export function statusesOf({ status }: MarketQuery): readonly MarketStatus[] | null {
  if (status === undefined) return null;
  return typeof status === 'string' ? [status] : status;
}

/** True when the market matches the whole query. Letters compare without case. */
export function answers(market: Market, query: MarketQuery): boolean {
  const { text, sport, league, kind, startsAfter, startsBefore } = query;
  const { startsAt } = market;
  const statuses = statusesOf(query);
  return (
    same(sport, market.sport) &&
    same(league, market.league) &&
    (kind === undefined || market.kind === kind) &&
    (startsAfter === undefined || (startsAt !== null && startsAt >= startsAfter)) &&
    (startsBefore === undefined || (startsAt !== null && startsAt < startsBefore)) &&
    (statuses === null || statuses.some((status) => market.status === status)) &&
    (text === undefined || mentions(market, text))
  );
}

function same(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();
}

function mentions({ question, slug, event, outcomes }: Market, text: string): boolean {
  const labels = outcomes === null ? [] : outcomes.map(({ label }) => label);
  const said = [question, slug, event?.title, event?.slug, ...labels].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** What an order still needs: a number of shares, or as many as its dollars buy. Prices are those of its own outcome. */
export class Want {
  private constructor(
    private readonly limit: Price,
    private readonly lot: Shares,
    private left: Shares,
    private dollars: Usdc | null,
  ) {}

  static shares(left: Shares): Want {
    return new Want(0n as Price, NO_SHARES, left, null);
  }

  /** Whole lots, as many as the dollars buy; the rest counts at the limit. */
  static dollars(dollars: Usdc, limit: Price, lot: Shares): Want {
    return new Want(limit, lot, NO_SHARES, dollars);
  }

  /** At the limit. */
  get shares(): Shares {
    return this.at(this.limit);
  }

  at(price: Price): Shares {
    return this.dollars === null ? this.left : sharesFor(this.dollars, counted(price), this.lot);
  }

  take(shares: Shares, price: Price): void {
    if (this.dollars === null) this.left = plus(this.left, -shares as Shares);
    else this.dollars = minus(this.dollars, notional(shares, counted(price), 'ceil'));
  }

  copy(): Want {
    return new Want(this.limit, this.lot, this.left, this.dollars);
  }
}

const counted = (price: Price): Price => (price < FINEST_TICK ? FINEST_TICK : price);
