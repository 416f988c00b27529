import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEGAN, freshFolder } from './program.js';

type Json = Readonly<Record<string, unknown>>;
type Level = readonly [price: string, shares: string];
type Line = Json & { readonly t: number };

/** What holds in a market where nothing else is said. */
export const TERMS = {
  tick: '0.01',
  min_shares: '5',
  min_notional: '1',
  neg_risk: false,
  accepting_orders: true,
  delay_seconds: 0,
  clears_book_at_start: false,
  fee: { rate: '0.05', exponent: 1, taker_only: true, as_of: '2026-03-01T00:00:00.000Z' },
};

/** A market of a tape, in which Home and Away play unless more is said. */
export function game(letter: string, slug: string, more: Json = {}, terms: Json = {}): Json {
  const id = `0x${letter.repeat(40)}`;
  const [home = '', away = ''] = slug.split('-').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return {
    id,
    venue_id: String(letter.charCodeAt(0)),
    slug,
    condition_id: id,
    question: `${home} or ${away}?`,
    outcomes: [home, away].map((label, index) => ({ label, token_id: `${letter.charCodeAt(0)}00${index}` })),
    event: { id: `event-${slug}`, slug: `event-${slug}`, title: `${home} against ${away}` },
    sport: 'soccer',
    league: 'epl',
    kind: 'moneyline',
    line: null,
    starts_at: '2026-03-01T13:00:00.000Z',
    status: 'open',
    payout: null,
    lot: '0.01',
    terms: { ...TERMS, ...terms },
    ...more,
  };
}

const CUP = { id: 'event-cup', slug: 'event-cup', title: 'The cup' };

/** Markets by what is special about each. */
export const GAMES = {
  /** Before its start, with a fee. */
  plain: game('a', 'home-away'),
  /** Without a fee, in another sport. */
  free: game('b', 'bucks-thunder', { sport: 'basketball', league: 'nba' }, { fee: { ...TERMS.fee, rate: '0' } }),
  /** Orders that would match are held for three seconds. */
  delayed: game('c', 'united-city', { status: 'in_play', starts_at: '2026-03-01T11:00:00.000Z' }, { delay_seconds: 3 }),
  /** Of these three exactly one wins. */
  firstOfThree: game('d', 'reds-field', { exclusive_set: 'cup', role: 'home', event: CUP }, { neg_risk: true }),
  secondOfThree: game('e', 'blues-field', { exclusive_set: 'cup', role: 'draw', event: CUP }, { neg_risk: true }),
  thirdOfThree: game('f', 'greens-field', { exclusive_set: 'cup', role: 'away', event: CUP }, { neg_risk: true }),
  /** Takes no orders. */
  closed: game('9', 'old-game', { status: 'closed' }, { accepting_orders: false }),
  /** Described, and without a book. */
  bookless: game('8', 'silent-game'),
  /** Its fee is not known. */
  feeless: game('7', 'strange-game', {}, { fee: null }),
};

type Game = keyof typeof GAMES;

const at = (second: number, line: Json) => ({ t: BEGAN + second * 1000, ...line });

/** What a tape says of one market, each from a second on: its whole book, its description with these members, or what changes. */
export const linesOf = (market: Json) => ({
  book: (second: number, bids: readonly Level[], asks: readonly Level[]) =>
    at(second, { m: market['id'], book: { bids, asks } }),
  says: (second: number, more: Json) => at(second, { market: { ...market, ...more } }),
  change: (second: number, what: Json) => at(second, { m: market['id'], ...what }),
});

/** From this second on the market shows this book. */
export const book = (name: Game, second: number, bids: readonly Level[], asks: readonly Level[]) =>
  linesOf(GAMES[name]).book(second, bids, asks);

/** From this second on it is described so. */
export const says = (name: Game, second: number, more: Json) => linesOf(GAMES[name]).says(second, more);

/** What changes at this second: trades, levels, ticks, gaps. */
export const change = (name: Game, second: number, what: Json) => linesOf(GAMES[name]).change(second, what);

/** Books that all stories begin with. */
const BOOKS = [
  book(
    'plain',
    1,
    [
      ['0.55', '200'],
      ['0.54', '500'],
    ],
    [
      ['0.58', '40'],
      ['0.59', '300'],
    ],
  ),
  book(
    'free',
    1,
    [['0.38', '150']],
    [
      ['0.41', '90'],
      ['0.42', '400'],
    ],
  ),
  book('delayed', 1, [['0.60', '100']], [['0.62', '100']]),
  book('firstOfThree', 1, [['0.44', '1000']], [['0.45', '1000']]),
  book('secondOfThree', 1, [['0.27', '1000']], [['0.28', '1000']]),
  book('thirdOfThree', 1, [['0.29', '1000']], [['0.30', '1000']]),
  book('closed', 1, [['0.50', '10']], [['0.52', '10']]),
  book('feeless', 1, [['0.50', '10']], [['0.52', '10']]),
];

/** Writes a tape of all games and these lines, which lasts so many seconds, and returns where it is. */
export const tapeOf = (lines: readonly Line[], seconds: number): string =>
  tapeOfMarkets(Object.values(GAMES), [...BOOKS, ...lines], seconds);

/** Writes a tape of these markets and lines, which lasts so many seconds, and returns where it is. */
export function tapeOfMarkets(markets: readonly Json[], lines: readonly Line[], seconds: number): string {
  const path = join(freshFolder(), 'games.jsonl');
  const described = markets.map((market) => at(0, { market }));
  const signs = Array.from({ length: Math.floor(seconds / 10) }, (_, n) => at((n + 1) * 10, { alive: true }));
  const all = [...described, ...lines, ...signs].sort((one, other) => one.t - other.t);
  const header = { stakeport_tape: 1, recorded_at: new Date(BEGAN).toISOString(), venue: 'example' };
  writeFileSync(path, [header, ...all].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** The games of this story: what moves, and how they end. */
export const storyTape = (): string =>
  tapeOf(
    [
      change('plain', 20, { trade: ['0.55', '260', 'SELL'] }),
      change('plain', 20, {
        levels: [
          ['bids', '0.55', '0'],
          ['bids', '0.54', '440'],
        ],
      }),
      change('plain', 30, { levels: [['asks', '0.56', '30']] }),
      change('free', 40, { gap: 'connection lost' }),
      book('free', 50, [['0.39', '150']], [['0.40', '90']]),
      change('free', 55, { tick: '0.001' }),
      says('plain', 300, { status: 'closed', terms: { ...(GAMES.plain['terms'] as object), accepting_orders: false } }),
      says('plain', 310, { status: 'resolved', payout: ['1', '0'] }),
      says('free', 320, { status: 'resolved', payout: ['0.5', '0.5'] }),
      says('plain', 400, { status: 'amended', payout: ['0', '1'] }),
    ],
    600,
  );
