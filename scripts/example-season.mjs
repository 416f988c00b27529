// Writes examples/season.jsonl.gz, or the file that is named: an invented season of two leagues, 2,000 games each, to try backtests on.
// In the league `north` the first team wins a tenth more often than its price with fees says; in `south` as often as it says.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const GAMES = 2000;
const FIRST = Date.UTC(2026, 0, 1, 10);
/** Between the starts of two games. */
const APART_MS = 100 * 60_000;
const MINUTE = 60_000;
const FEE_RATE = 0.03;
const LEAGUES = [
  { league: 'north', edge: 0.1, seed: 7 },
  { league: 'south', edge: 0, seed: 11 },
];

/** Numbers from 0 to 1, the same for the same seed on every machine: mulberry32. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const cents = (whole) => (whole / 100).toFixed(2);

/** What a share costs at an offer of so many cents, with the fee of the market. */
const costOf = (offer) => offer / 100 + FEE_RATE * (offer / 100) * (1 - offer / 100);

function marketOf({ league }, number, startsAt) {
  const id = `${league}-${`${number}`.padStart(4, '0')}`;
  const [home, away] = [`${league} ${1 + (number % 20)}`, `${league} ${1 + ((number * 7 + 3) % 20)}b`];
  return {
    id,
    venue_id: id,
    slug: id,
    condition_id: null,
    question: `${home} or ${away}?`,
    outcomes: [
      { label: home, token_id: `${id}-1` },
      { label: away, token_id: `${id}-2` },
    ],
    event: { id, slug: null, title: `${home} against ${away}` },
    sport: 'soccer',
    league,
    kind: 'moneyline',
    line: null,
    starts_at: new Date(startsAt).toISOString(),
    status: 'open',
    payout: null,
    lot: '0.01',
    terms: {
      tick: '0.01',
      min_shares: '1',
      min_notional: '1',
      fee: { rate: `${FEE_RATE}`, exponent: 1, taker_only: true, as_of: '2026-01-01T00:00:00.000Z' },
      neg_risk: false,
      accepting_orders: true,
      delay_seconds: 0,
      clears_book_at_start: true,
    },
    role: 'home',
  };
}

/** The book whose best offer of the first outcome costs so many cents. */
const bookAt = (offer, next) => ({
  bids: [
    [cents(offer - 2), `${200 + Math.floor(next() * 300)}`],
    [cents(offer - 4), '600'],
  ],
  asks: [
    [cents(offer), `${100 + Math.floor(next() * 200)}`],
    [cents(offer + 2), '600'],
  ],
});

/** The lines of one game: its market and book before the start, the last book before it, and its result two hours later. */
function gameLines(terms, number, startsAt, next) {
  const market = marketOf(terms, number, startsAt);
  const offer = 42 + Math.floor(next() * 18);
  const chance = costOf(offer) * (1 + terms.edge);
  // Prices go half-way to the truth until the start, and by chance.
  const close = offer + Math.round(50 * (chance - costOf(offer)) + 4 * (next() - 0.5));
  const payout = next() < chance ? ['1', '0'] : ['0', '1'];
  const over = { status: 'resolved', payout, terms: { ...market.terms, accepting_orders: false } };
  return [
    { t: startsAt - 20 * MINUTE, market },
    { t: startsAt - 20 * MINUTE, m: market.id, book: bookAt(offer, next) },
    { t: startsAt - 20 * MINUTE + 25_000, alive: true },
    { t: startsAt - MINUTE / 4, m: market.id, book: bookAt(close, next) },
    { t: startsAt + 120 * MINUTE, market: { ...market, ...over } },
  ];
}

const lines = LEAGUES.flatMap((terms, at) => {
  const next = numbersFrom(terms.seed);
  return Array.from({ length: GAMES }, (_, number) =>
    gameLines(terms, number, FIRST + (number * LEAGUES.length + at) * (APART_MS / 2) * 2, next),
  ).flat();
});
lines.sort((a, b) => a.t - b.t);
const header = { stakeport_tape: 1, recorded_at: new Date(lines[0].t).toISOString(), venue: 'example' };
const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
const file = process.argv[2] ?? join(resolve(import.meta.dirname, '..'), 'examples', 'season.jsonl.gz');
const packed = gzipSync(text, { level: 9 });
// The system that packed it is not of interest.
packed[9] = 255;
writeFileSync(file, packed);
process.stdout.write(`${file}: ${lines.length} lines, ${packed.length} bytes\n`);
