import { MarketUnusable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import { confirmedPayout, marketStatus } from '../../../core/market/lifecycle.js';
import type { MarketKind } from '../../../core/market/market.js';
import { CENTI_SHARE, type Market, type Outcome, type OutcomeRole } from '../../../core/market/market.js';
import type { GammaMarket } from '../http/gamma-wire.js';
import { POLYMARKET } from '../http/venue-name.js';
import { claimsOf } from './claims.js';
import type { MarketRecords } from './records.js';
import { leagueOf, sportOf } from './sports.js';
import { acceptsOrders, termsOf } from './terms.js';

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
