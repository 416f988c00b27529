/** Series of the venue by sport; a series that is not here has no sport, which is never guessed from a title. */
const SERIES: Readonly<Record<string, readonly string[]>> = {
  basketball: ['nba', 'wnba', 'ncaab', 'cbb', 'cwbb', 'euroleague', 'nba-summer-league'],
  american_football: ['nfl', 'cfb', 'ncaaf'],
  baseball: ['mlb', 'kbo', 'npb'],
  ice_hockey: ['nhl', 'khl', 'shl', 'ahl'],
  soccer: [
    'epl',
    'premier-league',
    'lal',
    'la-liga',
    'sea',
    'serie-a',
    'bun',
    'bundesliga',
    'fl1',
    'ligue-1',
    'mls',
    'ere',
    'eredivisie',
    'por',
    'primeira-liga',
    'ucl',
    'champions-league',
    'uel',
    'europa-league',
    'uefa-champions-league',
    'uefa-europa-league',
    'fifa-world-cup',
    'world-cup',
    'copa-libertadores',
    'liga-mx',
    'brazil-serie-a',
    'j-league',
  ],
  tennis: ['atp', 'wta'],
  mma: ['ufc'],
  cricket: ['ipl', 'cricket', 't20-world-cup', 'international-cricket'],
  rugby: ['six-nations', 'super-rugby', 'rugby-world-cup'],
  golf: ['pga', 'pga-tour', 'liv-golf'],
  motorsport: ['f1', 'formula-1', 'motogp', 'nascar'],
  esports: [
    'counter-strike',
    'cs2',
    'dota-2',
    'dota2',
    'league-of-legends',
    'lol',
    'valorant',
    'rainbow-six',
    'overwatch',
  ],
};

/** Every sport that a market here can have. */
export const POLYMARKET_SPORTS: readonly string[] = Object.keys(SERIES);

const SPORTS = new Map(Object.entries(SERIES).flatMap(([sport, series]) => series.map((one) => [one, sport] as const)));
const SEASON = /-20\d\d(-\d\d)?$/;

/** The league of a series: its slug without the season, such as `nba` of `nba-2027`. */
export function leagueOf(seriesSlug: string | null): string | null {
  return seriesSlug === null ? null : seriesSlug.toLowerCase().replace(SEASON, '');
}

/** The sport of a league; null when it is not known. */
export function sportOf(league: string | null): string | null {
  return league === null ? null : (SPORTS.get(league) ?? null);
}
