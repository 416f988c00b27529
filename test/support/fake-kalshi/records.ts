type Json = Readonly<Record<string, unknown>>;

/** A game of the venue with one market of its winner, in the shapes of its documents; ids and teams are made up. */
export const SERIES: Json = {
  ticker: 'KXNFLGAME',
  title: 'Professional football game',
  tags: ['Football'],
  fee_type: 'quadratic_with_maker_fees',
  fee_multiplier: 1,
  category: 'Sports',
};

export const EVENT: Json = {
  event_ticker: 'KXNFLGAME-27JAN16OTTBAD',
  series_ticker: 'KXNFLGAME',
  title: 'Otters at Badgers',
  sub_title: 'OTT at BAD (Jan 16)',
  mutually_exclusive: true,
  collateral_return_type: 'MECNET',
  product_metadata: { competition: 'Pro Football' },
};

export const MARKET: Json = {
  ticker: 'KXNFLGAME-27JAN16OTTBAD-BAD',
  event_ticker: 'KXNFLGAME-27JAN16OTTBAD',
  market_type: 'binary',
  title: 'Otters at Badgers Winner?',
  yes_sub_title: 'Badgers',
  no_sub_title: 'Badgers',
  status: 'active',
  open_time: '2027-01-01T00:00:00Z',
  close_time: '2027-01-30T18:00:00Z',
  price_level_structure: 'linear_cent',
  price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
  result: '',
  custom_strike: { football_team: '55555555-0000-4000-8000-00000000000b' },
  yes_bid_dollars: '0.4700',
  yes_ask_dollars: '0.5200',
  exchange_index: 0,
};

/** The other side's market of the same game: two binary markets for one question. */
export const OTHER_MARKET: Json = {
  ...MARKET,
  ticker: 'KXNFLGAME-27JAN16OTTBAD-OTT',
  yes_sub_title: 'Otters',
  no_sub_title: 'Otters',
  custom_strike: { football_team: '55555555-0000-4000-8000-00000000000a' },
};

export const MILESTONE: Json = {
  id: '66666666-0000-4000-8000-000000000001',
  type: 'football_game',
  title: 'Otters at Badgers',
  start_date: '2027-01-16T18:00:00Z',
  details: {
    league: 'NFL',
    home_team_id: '55555555-0000-4000-8000-00000000000b',
    away_team_id: '55555555-0000-4000-8000-00000000000a',
  },
  primary_event_tickers: ['KXNFLGAME-27JAN16OTTBAD'],
  related_event_tickers: ['KXNFLGAME-27JAN16OTTBAD', 'KXNFLTOTAL-27JAN16OTTBAD'],
};

/** What an account may use, in tokens a second. */
export const limitsOf = (tier: string, read: unknown, write: unknown): Json => ({
  usage_tier: tier,
  read: { refill_rate: read, bucket_capacity: read },
  write: { refill_rate: write, bucket_capacity: write },
});

/** Whether a path is of the account. */
export const isPrivate = (path: string): boolean =>
  !path.includes('/historical/markets') &&
  (/\/(portfolio|historical|api_keys|account)\b/.test(path) || path.includes('user_data_timestamp'));

/** An answer for one record; undefined without one. */
export const found = (member: string, record: Json | undefined): unknown => record && { [member]: record };
