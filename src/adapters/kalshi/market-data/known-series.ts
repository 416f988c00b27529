import type { MarketKind } from '../../../core/market/market.js';

/** What is known of a series of the venue without asking. */
export interface KnownSeries {
  readonly sport: string;
  readonly league: string;
  readonly kind: MarketKind;
}

const LEAGUES = {
  NFL: ['american_football', 'nfl'],
  NCAAF: ['american_football', 'ncaaf'],
  NBA: ['basketball', 'nba'],
  NCAAMB: ['basketball', 'ncaab'],
  MLB: ['baseball', 'mlb'],
  NHL: ['ice_hockey', 'nhl'],
  WC: ['soccer', 'fifa-world-cup'],
} as const;

const KINDS = { GAME: 'moneyline', SPREAD: 'spread', TOTAL: 'total' } as const;

/** Series of sports and what their markets ask, by ticker (`kalshi.md` 4.4). Names are compared whole, and never read for their parts. */
export const KNOWN_SERIES: ReadonlyMap<string, KnownSeries> = new Map(
  Object.entries(LEAGUES).flatMap(([code, [sport, league]]) =>
    Object.entries(KINDS).map(([name, kind]) => [`KX${code}${name}`, { sport, league, kind }] as const),
  ),
);

/** Sports by the venue's tags of a series that is not in the table. */
const TAGS: Readonly<Record<string, string>> = {
  baseball: 'baseball',
  basketball: 'basketball',
  cricket: 'cricket',
  esports: 'esports',
  football: 'american_football',
  golf: 'golf',
  hockey: 'ice_hockey',
  mma: 'mma',
  motorsport: 'motorsport',
  rugby: 'rugby',
  soccer: 'soccer',
  tennis: 'tennis',
};

/** Every sport that a market here can have. */
export const KALSHI_SPORTS: readonly string[] = [
  ...new Set([...Object.values(LEAGUES).map(([sport]) => sport), ...Object.values(TAGS)]),
];

/** The sport that the tags of a series name; null where they name none, or several. */
export function sportOfTags(tags: readonly string[]): string | null {
  const named = new Set(tags.map((tag) => TAGS[tag.toLowerCase()]).filter((sport) => sport !== undefined));
  const [sport = null] = named;
  return named.size === 1 ? sport : null;
}
