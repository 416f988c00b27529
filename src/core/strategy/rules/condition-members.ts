import { formatMicro, ONE, type Price } from '../../money.js';
import { writeDuration } from './rule-duration.js';
import {
  AUTOMATED_ELSE_ANY,
  listed,
  type OneOrMore,
  percentText,
  type RuleMember,
  relativeText,
  usdcText,
} from './rule-member.js';

/** True where the rules name every venue. */
export const isAnyVenue = (venue: OneOrMore<string>): boolean =>
  typeof venue === 'string' ? venue === ANY_VENUE : venue.includes(ANY_VENUE);

const ANY_VENUE = 'any';

/** Members of the parts of rules that say where, when and at what quality a bet is made. */
export const CONDITION_MEMBERS = {
  match: {
    sport: {
      kind: 'name',
      shown: 'sport',
      meaning: 'The sport of the markets; that of the strategy by default.',
      example: 'soccer',
      always: true,
      sentence: (sport) => `Only markets of the sport ${sport}.`,
      row: ['The sport of the markets. Default: that of the strategy.', '`soccer`'],
    },
    market: {
      kind: 'marketKinds',
      shown: 'market',
      meaning: 'The kind of market, or several; absent: every kind.',
      sentence: (kinds) => `Only markets of the kind ${listed(kinds)}.`,
      row: ['`moneyline`, `spread` or `total`, or a list. Default: every kind.', '`["moneyline", "total"]`'],
    },
    league: {
      kind: 'names',
      shown: 'league',
      meaning: 'The league of the markets, or several; absent: every league.',
      example: 'epl',
      sentence: (names) => `Only in the league ${listed(names)}.`,
      row: ['A league, or a list of up to 100. Default: every league.', '`["epl", "laliga"]`'],
    },
    venue: {
      kind: 'names',
      shown: 'venue',
      meaning: 'The venue of the markets, or several, or `any`; absent: the default venue of the server.',
      example: 'any',
      sentence: (names) => (isAnyVenue(names) ? 'At any venue.' : `Only at the venue ${listed(names)}.`),
      row: ['A venue, a list of up to 100, or `any`. Default: `DEFAULT_VENUE` of the server, as in orders.', '`any`'],
    },
    events: {
      kind: 'texts',
      shown: 'events',
      meaning: 'Ids or slugs of events; absent: every event.',
      sentence: (names) => `Only on the event ${listed(names)}.`,
      row: ['Ids or slugs of events, up to 100. Default: every event.', '`["epl-ars-che-2026-12-05"]`'],
    },
    text: {
      kind: 'name',
      shown: 'text',
      meaning: 'Words of the question, the event or the slug; absent: any.',
      sentence: (words) => `Only where the question, the event or the slug has the words "${words}".`,
      row: [
        'Words of the question, the event, the slug or an outcome, all of them, in any case. Default: any.',
        '`arsenal cup` finds "Arsenal wins the FA Cup?"',
      ],
    },
  },
  filter: {
    minOdds: {
      kind: 'odds',
      shown: 'min_odds',
      meaning: 'The shortest decimal odds (1 / price) to bet at; absent: any.',
      example: '1.5',
      sentence: (odds) => `Only at net decimal odds of ${formatMicro(odds)} or longer.`,
      row: ['The shortest net decimal odds, inclusive.', 'any', '1.5: a cost of at most 0.6667'],
    },
    maxOdds: {
      kind: 'odds',
      shown: 'max_odds',
      meaning: 'The longest decimal odds (1 / price) to bet at; absent: any.',
      example: '3',
      sentence: (odds) => `Only at net decimal odds of ${formatMicro(odds)} or shorter.`,
      row: ['The longest net decimal odds, inclusive.', 'any', '3: a cost of at least 0.3333'],
    },
    side: {
      kind: 'side',
      shown: 'side',
      meaning: 'BACK bets for the outcome, LAY against it. BACK by default.',
      always: true,
      sentence: () => null,
      row: [
        'BACK or LAY.',
        'BACK',
        'bid 0.48, ask 0.50, no fee: BACK buys at 0.50, odds 2; LAY buys the complement at 0.52, odds 1 / 0.48 = 2.0833',
      ],
    },
    minEdge: {
      kind: 'fraction',
      shown: 'min_edge',
      meaning:
        'The least expected yield of the bet, net of fees: probability / cost - 1. Needs a signal. Null or absent: any.',
      example: '0.02',
      orNull: true,
      sentence: (edge) => `Only with an expected yield of ${percentText(edge)} or more, net of fees.`,
      row: [
        'The least expected yield, net of fees: probability / c − 1. Needs a `signal`.',
        'any',
        '0.02: at c = 0.5125 a probability of 0.52275',
      ],
    },
    maxSpread: {
      kind: 'gap',
      shown: 'max_spread',
      meaning:
        'The most between the best bid and the best ask. 0.05 by default where automation is not `off`; null: any.',
      example: '0.05',
      orNull: true,
      isGuard: true,
      automated: () => 50_000n as Price,
      sentence: (gap) => `Only while the best bid and ask are ${formatMicro(gap)} apart or less.`,
      row: [
        'The most between the best bid and the best ask.',
        `0.05 ${AUTOMATED_ELSE_ANY}`,
        'bid 0.48, ask 0.54: 0.06, no bet',
      ],
    },
    minLiquidity: {
      kind: 'usdc',
      shown: 'min_liquidity_usdc',
      meaning: 'The least that the book must offer within the odds, in USDC. Null or absent: any.',
      example: '100',
      orNull: true,
      sentence: (sum) => `Only where the book offers ${usdcText(sum)} at prices that the rules permit.`,
      row: [
        'The least that the book offers at prices that the rules permit.',
        'any',
        '100: 150 shares at 0.50 and no more are 75: no bet',
      ],
    },
    maxDrift: {
      kind: 'gap',
      shown: 'max_drift',
      meaning: 'How far the price may have moved since the strategy first saw the market. Null or absent: any.',
      example: '0.03',
      orNull: true,
      sentence: (gap) => `Only while the price is within ${formatMicro(gap)} of the first one seen.`,
      row: [
        'How far the price may have moved since the strategy first saw it, also before a restart.',
        'any',
        '0.03: first seen at 0.50, no bet at 0.54',
      ],
    },
    maxBookAgeMs: {
      kind: 'duration',
      shown: 'max_book_age',
      meaning: 'How old the last word from the market may be. Null or absent: as fresh as every order needs it.',
      example: '5s',
      orNull: true,
      sentence: (ms) => `Only on a book that is ${writeDuration(ms)} old or less.`,
      row: [
        'How old the last word of the book may be.',
        'as fresh as every order needs it',
        '`5s`: a book of 14:00:00 is good until 14:00:05',
      ],
    },
    maxOverround: {
      kind: 'fraction',
      shown: 'max_overround',
      meaning: 'The most by which the best asks of exclusive outcomes may add up to more than 1. Null or absent: any.',
      example: '0.04',
      orNull: true,
      sentence: (share) => `Only while the best asks of all outcomes add up to ${formatMicro(ONE + share)} or less.`,
      row: [
        'The most by which the best asks of exclusive outcomes add up to more than 1.',
        'any',
        '0.04: 0.45 + 0.28 + 0.30 = 1.03, a bet',
      ],
    },
  },
  window: {
    fromMs: {
      kind: 'offset',
      shown: 'from',
      meaning: 'Not before this time: `-24h` is a day before the start. Absent: any time.',
      example: '-24h',
      sentence: (ms) => `Not earlier than ${relativeText(ms)}.`,
      row: [
        'Not before this time, relative to the start of the game. Default: any time.',
        '`-24h`: a day before the start',
      ],
    },
    toMs: {
      kind: 'offset',
      shown: 'to',
      meaning: 'Not after this time: `-5m` is five minutes before the start. Absent: any time.',
      example: '-5m',
      sentence: (ms) => `Not later than ${relativeText(ms)}.`,
      row: ['Not after this time. Default: any time.', '`-5m`: five minutes before the start'],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RuleMember>>>>;
