import { MarketUnusable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import { type FeeSchedule, MOST_EXPONENT } from '../../../core/market/fee.js';
import {
  confirmedPayout,
  marketStatus,
  NO_WON,
  type Payout,
  type ResolutionClaim,
  SPLIT,
  YES_WON,
} from '../../../core/market/lifecycle.js';
import {
  CENTI_SHARE,
  type Market,
  type MarketKind,
  type MarketTerms,
  type Outcome,
  type OutcomeRole,
} from '../../../core/market/market.js';
import { ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import { decimalOrNull } from '../../venue/decimals.js';
import type { ClobMarket } from '../http/clob-wire.js';
import { type GammaMarket, readGammaMarket } from '../http/gamma-wire.js';
import { GTD_LEAST_AHEAD_MS, GTD_STOPPED_EARLY_MS, QUOTE_STEP } from '../http/order-rules.js';
import { POLYMARKET } from '../http/venue-name.js';
import type { MarketRecords } from './records.js';
import { leagueOf, sportOf } from './sports.js';

const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const TOKEN_ID = /^[1-9][0-9]{0,77}$/;
const TOKEN_LIMIT = 2n ** 256n;
const KINDS = new Map<string, MarketKind>([
  ['moneyline', 'moneyline'],
  ['spreads', 'spread'],
  ['map_handicap', 'spread'],
  ['totals', 'total'],
]);

/**
 * The market that these records describe. YES is the first outcome of the venue's own lists and NO the second; labels are
 * carried along and never decide (`polymarket.md` 1 and 6).
 * @throws MarketUnusable when the two outcomes cannot be distinguished with certainty, or an open market's terms are
 * unknown.
 */
export function listing(records: MarketRecords, now: Date): Market {
  const { gamma } = records;
  const conditionId = conditionIdOf(records);
  const outcomes = outcomesOf(records);
  const event = gamma.events?.[0];
  const league = leagueOf(event?.seriesSlug ?? event?.series?.[0]?.slug ?? null);
  const claims = claimsOf(records);
  const facts = {
    acceptingOrders: acceptsOrders(records),
    acceptsFrom: gamma.acceptingOrdersTimestamp,
    closed: gamma.closed === true || records.clob?.closed === true,
    startsAt: startOf(records),
    live: event?.live === true,
    claims,
    amended: false,
  };
  return {
    venue: POLYMARKET,
    id: conditionId as MarketId,
    venueId: gamma.id,
    slug: gamma.slug,
    conditionId,
    question: gamma.question,
    outcomes,
    event: event === undefined ? null : { id: event.id, slug: event.slug, title: event.title },
    sport: sportOf(league),
    league,
    kind: gamma.sportsMarketType === null ? null : (KINDS.get(gamma.sportsMarketType) ?? 'other'),
    line: gamma.line,
    ...placeInGame(gamma, sportOf(league)),
    startsAt: facts.startsAt,
    status: marketStatus(facts, now),
    payout: confirmedPayout(claims),
    lot: CENTI_SHARE,
    terms: termsOf(records),
  };
}

/**
 * A market that Gamma answered with, perhaps long after it ended, and when trading in it ended; null where Gamma does not say.
 * @throws MarketUnusable as for a market that is traded
 */
export function archivedMarket(record: unknown): { readonly market: Market; readonly closedAt: Date | null } {
  const gamma = readGammaMarket(record);
  const market = listing({ gamma, readAt: new Date(0) }, new Date(0));
  return { market, closedAt: gamma.closedTime };
}

/** Such as `lal-ala-val-2026-09-15-ala`: the league, home, away, the day, and whose market it is. */
const THREE_WAY = /^[a-z0-9]+-([a-z0-9]+)-([a-z0-9]+)-\d{4}-\d{2}-\d{2}-([a-z0-9]+)$/;

/**
 * What the first outcome stands for, and the markets beside it of which one wins. Given only for the winner of a soccer
 * game, which is three markets: for other games no source says reliably which team plays at home (`polymarket.md` 6.1).
 */
function placeInGame({ slug, negRisk, events, sportsMarketType }: GammaMarket, sport: string | null) {
  const exclusiveSet = negRisk === true ? (events?.[0]?.id ?? null) : null;
  const [, home, away, own] = THREE_WAY.exec(slug ?? '') ?? [];
  const isWinner = sport === 'soccer' && sportsMarketType === 'moneyline' && exclusiveSet !== null && own !== undefined;
  const roles = new Map<string | undefined, OutcomeRole>([
    [home, 'home'],
    [away, 'away'],
    ['draw', 'draw'],
  ]);
  return { role: isWinner ? (roles.get(own) ?? null) : null, exclusiveSet };
}

function conditionIdOf({ gamma, compact, clob }: MarketRecords): string {
  const id = gamma.conditionId;
  if (id === null) throw new MarketUnusable('condition_id_missing', 'The market has no condition id yet.');
  if (!CONDITION_ID.test(id))
    throw new MarketUnusable('condition_id_malformed', 'The condition id is not hexadecimal.');
  const others = [compact?.c, clob?.condition_id].filter((other) => other !== undefined);
  if (others.some((other) => other.toLowerCase() !== id.toLowerCase())) {
    throw new MarketUnusable('condition_ids_disagree', 'Two records of the venue name different conditions.');
  }
  return id;
}

function outcomesOf(records: MarketRecords): readonly [Outcome, Outcome] {
  const { outcomes } = records.gamma;
  if (outcomes?.length !== 2) throw new MarketUnusable('not_binary', 'The market does not have exactly two outcomes.');
  const [yes, no] = tokenIdsOf(records);
  const [first = '', second = ''] = outcomes;
  return [
    { label: first, tokenId: yes },
    { label: second, tokenId: no },
  ];
}

function tokenIdsOf({ gamma, compact, clob }: MarketRecords): readonly [yes: string, no: string] {
  const [yes = '', no = '', ...more] = gamma.clobTokenIds ?? [];
  if (yes === '' || no === '') throw new MarketUnusable('token_ids_missing', 'The market has no token ids yet.');
  if (more.length > 0 || !isTokenId(yes) || !isTokenId(no)) {
    throw new MarketUnusable('token_ids_malformed', 'The token ids of the market are not two decimal numbers.');
  }
  if (yes === no) throw new MarketUnusable('token_ids_equal', 'Both outcomes of the market have the same token id.');
  for (const tokens of [compact?.t.map(({ t }) => t), clob?.tokens.map((token) => token.token_id)]) {
    if (tokens !== undefined && (tokens.length !== 2 || tokens[0] !== yes || tokens[1] !== no)) {
      throw new MarketUnusable('token_ids_disagree', 'Two records of the venue give the outcomes different token ids.');
    }
  }
  return [yes, no];
}

const isTokenId = (text: string): boolean => TOKEN_ID.test(text) && BigInt(text) < TOKEN_LIMIT;

/** The venue also dates events that are not games: those moments count only for sports markets. */
function startOf({ gamma, compact, clob }: MarketRecords): Date | null {
  const given = gamma.gameStartTime ?? compact?.gst ?? clob?.game_start_time ?? null;
  if (given !== null || gamma.sportsMarketType === null) return given;
  return gamma.eventStartTime ?? gamma.events?.[0]?.startTime ?? null;
}

/** The result according to Gamma and to the CLOB, each by itself (`polymarket.md` 7.2). */
function claimsOf({ gamma, clob }: MarketRecords): ResolutionClaim[] {
  return [...gammaClaim(gamma), ...(clob === undefined ? [] : clobClaim(clob))];
}

function gammaClaim(market: GammaMarket): ResolutionClaim[] {
  const word = market.umaResolutionStatus ?? market.umaResolutionStatuses?.at(-1);
  if (word === 'disputed') return [{ source: 'gamma', status: 'disputed', payout: null }];
  if (word !== 'proposed' && word !== 'resolved') return [];
  const payout = word === 'resolved' && market.closed === true ? shownPayout(market.outcomePrices) : null;
  return [{ source: 'gamma', status: payout === null ? 'proposed' : 'final', payout }];
}

/** The only results at the venue: one outcome won, or neither. */
const RESULTS = new Set([YES_WON, NO_WON, SPLIT].map(([yes, no]) => `${yes} ${no}`));

function shownPayout(prices: readonly string[] | null): Payout | null {
  if (prices?.length !== 2) return null;
  const [yes = null, no = null] = prices.map(decimalOrNull);
  if (yes === null || no === null || !RESULTS.has(`${yes} ${no}`)) return null;
  return [yes as Usdc, no as Usdc];
}

function clobClaim({ closed, tokens, is_50_50_outcome }: ClobMarket): ResolutionClaim[] {
  const winners = tokens.flatMap(({ winner }, index) => (winner === true ? [index] : []));
  if (closed !== true || winners.length > 1 || (winners.length === 1) === (is_50_50_outcome === true)) return [];
  const payout = winners.length === 0 ? SPLIT : winners[0] === 0 ? YES_WON : NO_WON;
  return [{ source: 'clob', status: 'final', payout }];
}

/** Every tick of the venue (`polymarket.md` 3.4), in micro-units. */
const TICKS: ReadonlySet<bigint> = new Set([100_000n, 10_000n, 5000n, 2500n, 1000n, 100n]);

/**
 * The least that a BUY that would match at once may be worth at its limit. Reported by users; documented nowhere
 * (`polymarket.md` 2.4).
 */
const LEAST_TAKING = ONE as Usdc;

/**
 * The venue's limits for orders, from the CLOB before Gamma. A closed market has no terms when they are missing.
 * @throws MarketUnusable for an open market without a book, with an unknown tick or minimum, or with sources that disagree.
 */
function termsOf(records: MarketRecords): MarketTerms | null {
  const { gamma, compact, clob } = records;
  const tick = compact?.mts ?? clob?.minimum_tick_size ?? gamma.orderPriceMinTickSize;
  const minShares = compact?.mos ?? clob?.minimum_order_size ?? gamma.orderMinSize;
  const lack = lackOf(records, tick, minShares);
  if (lack !== undefined && gamma.closed !== true) throw lack;
  if (lack !== undefined || tick === null || minShares === null) return null;
  return {
    tick: tick as Price,
    quoteStep: QUOTE_STEP,
    minShares: minShares as Shares,
    minNotional: LEAST_TAKING,
    fee: feeOf(records),
    negRisk: negRiskOf(records),
    acceptingOrders: acceptsOrders(records),
    gtdLeadMs: GTD_LEAST_AHEAD_MS - GTD_STOPPED_EARLY_MS,
    delaySeconds: compact?.sd ?? clob?.seconds_delay ?? gamma.secondsDelay ?? 0,
    clearsBookAtStart: gamma.clearBookOnStart === true || compact?.cbos === true,
  };
}

function lackOf({ gamma }: MarketRecords, tick: bigint | null, minShares: bigint | null): MarketUnusable | undefined {
  if (gamma.enableOrderBook !== true) return new MarketUnusable('no_order_book', 'The market has no order book.');
  if (tick === null || !TICKS.has(tick)) {
    return new MarketUnusable('tick_unknown', 'The market has no tick size, or one that the venue does not document.');
  }
  return minShares === null
    ? new MarketUnusable('min_size_unknown', 'The market has no minimum order size.')
    : undefined;
}

/**
 * True only when no source says otherwise: a market may be over while one of them still takes orders (`polymarket.md` H19).
 */
function acceptsOrders({ gamma, compact, clob }: MarketRecords): boolean {
  const over = gamma.closed === true || clob?.closed === true || gamma.events?.[0]?.ended === true;
  return !over && gamma.acceptingOrders === true && compact?.ao !== false && clob?.accepting_orders !== false;
}

/** The flag decides which contract an order is signed for, so when sources disagree nothing can be signed. */
function negRiskOf({ gamma, compact, clob }: MarketRecords): boolean {
  const stated = [gamma.negRisk, compact?.nr, clob?.neg_risk].filter((flag) => typeof flag === 'boolean');
  if (new Set(stated).size > 1) {
    throw new MarketUnusable('neg_risk_disagrees', 'Two records of the venue disagree on the contract of this market.');
  }
  return stated[0] ?? false;
}

/** Null unless a schedule is given, understood, and the same in all sources that give one (`polymarket.md` 3.5). */
function feeOf({ gamma, compact, readAt }: MarketRecords): FeeSchedule | null {
  const { feesEnabled, feeSchedule } = gamma;
  const free: FeeSchedule = { rate: 0n, exponent: 1, takerOnly: true, asOf: readAt };
  const stated: (FeeSchedule | null)[] = [];
  if (feesEnabled === false) stated.push(free);
  else if (feeSchedule !== null)
    stated.push(scheduleOf(feeSchedule.rate, feeSchedule.exponent, feeSchedule.takerOnly, readAt));
  if (compact?.fd) stated.push(scheduleOf(compact.fd.r, compact.fd.e, compact.fd.to, readAt));
  const [first = null, ...others] = stated;
  return others.every((other) => isSameFee(first, other)) ? first : null;
}

function scheduleOf(
  rate: bigint | null,
  exponent: number | null,
  takerOnly: boolean | null,
  asOf: Date,
): FeeSchedule | null {
  if (rate === null || rate >= ONE || exponent === null) return null;
  if (!Number.isInteger(exponent) || exponent < 0 || exponent > MOST_EXPONENT) return null;
  return { rate, exponent, takerOnly: takerOnly === true, asOf };
}

function isSameFee(a: FeeSchedule | null, b: FeeSchedule | null): boolean {
  if (a === null || b === null || a.rate !== b.rate) return false;
  return a.rate === 0n || (a.exponent === b.exponent && a.takerOnly === b.takerOnly);
}
