// Writes examples/demo.jsonl, or the file that is named: what `stakeport demo` plays. Home is offered at 0.58, now and then for
// three seconds at 0.56, and wins after five minutes. Bucks and Thunder go on for twenty.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const BEGIN = Date.UTC(2026, 2, 1, 12);
const SECOND = 1000;
const STEP = 5;
/** In seconds: how often the offer is good, and for how long. */
const [DIP_EVERY, DIP_LASTS] = [45, 3];
/** In seconds from the beginning. */
const [RISES, CLOSES, RESOLVES, ENDS] = [240, 300, 315, 1200];
const OFFER = 58;
const BIDS = [55, 54, 55, 53, 54, 52, 53, 54];

const cents = (whole) => (whole / 100).toFixed(2);
const at = (seconds) => BEGIN + seconds * SECOND;
const stepsUntil = (end) => Array.from({ length: Math.ceil(end / STEP) }, (_, step) => step * STEP);

function marketOf(id, venueId, [first, second], terms) {
  return {
    id,
    venue_id: venueId,
    slug: `${first}-${second}`.toLowerCase(),
    condition_id: id,
    question: `${first} or ${second}?`,
    outcomes: [
      { label: first, token_id: `${venueId}001` },
      { label: second, token_id: `${venueId}002` },
    ],
    event: null,
    kind: 'moneyline',
    line: null,
    payout: null,
    lot: '0.01',
    terms: {
      tick: '0.01',
      min_shares: '5',
      min_notional: '1',
      fee: { rate: '0.05', exponent: 1, taker_only: true, as_of: '2026-03-01T00:00:00.000Z' },
      neg_risk: false,
      accepting_orders: true,
      delay_seconds: 0,
      clears_book_at_start: false,
    },
    ...terms,
  };
}

const HOME = marketOf(`0x${'a1'.repeat(32)}`, '512', ['Home', 'Away'], {
  sport: 'soccer',
  league: 'epl',
  starts_at: '2026-03-01T11:00:00.000Z',
  status: 'in_play',
});
const BUCKS = marketOf(`0x${'b2'.repeat(32)}`, '513', ['Bucks', 'Thunder'], {
  sport: 'basketball',
  league: 'nba',
  starts_at: '2026-03-02T01:00:00.000Z',
  status: 'open',
});

const book = (offer, bid, offered) => ({
  bids: [
    [cents(bid), '200'],
    [cents(bid - 1), '500'],
  ],
  asks: [
    [cents(offer), `${offered}`],
    [cents(offer + 1), '300'],
  ],
});

function homeLines(seconds) {
  const t = at(seconds);
  if (seconds > RISES) {
    const offer = OFFER + Math.round(((seconds - RISES) / (CLOSES - RISES)) * 36);
    return [{ t, m: HOME.id, book: book(offer, offer - 2, 60) }];
  }
  const lines = [{ t, m: HOME.id, book: book(OFFER, BIDS[(seconds / STEP) % BIDS.length], 60) }];
  if (seconds === 0 || seconds % DIP_EVERY !== 0 || seconds === RISES) return lines;
  return [
    ...lines,
    { t, m: HOME.id, levels: [['asks', '0.56', '30']] },
    { t: at(seconds + DIP_LASTS), m: HOME.id, levels: [['asks', '0.56', '0']] },
  ];
}

function bucksLines(seconds) {
  const step = seconds / STEP;
  const offer = 41 + Math.round(3 * Math.sin(step / 7) + 1.6 * Math.sin(step / 2.3));
  const t = at(seconds) + (seconds === 0 ? 0 : SECOND);
  return [{ t, m: BUCKS.id, book: book(offer, offer - 2, 90 + ((step * 37) % 200)) }];
}

const over = { ...HOME.terms, accepting_orders: false };
const lines = [
  { t: BEGIN, market: HOME },
  { t: BEGIN, market: BUCKS },
  ...stepsUntil(CLOSES).flatMap(homeLines),
  { t: at(CLOSES), market: { ...HOME, status: 'closed', terms: over } },
  { t: at(RESOLVES), market: { ...HOME, status: 'resolved', payout: ['1', '0'], terms: over } },
  ...stepsUntil(ENDS).flatMap(bucksLines),
  { t: at(ENDS), alive: true },
].toSorted((one, other) => one.t - other.t);
const header = { stakeport_tape: 1, recorded_at: new Date(BEGIN).toISOString(), venue: 'example' };
const file = process.argv[2] ?? join(resolve(import.meta.dirname, '..'), 'examples', 'demo.jsonl');
writeFileSync(file, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
