import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const APART_MS = 1080;
const BEGINS = Date.UTC(2026, 2, 7, 12);
const KICK_OFF = BEGINS + 3_600_000;

/** Writes a tape of games whose prices walk, each described, shown and ended, with so many changes; returns its number of lines. */
export async function writeAfternoon(path: string, games: number, each: number): Promise<number> {
  const file = createWriteStream(path);
  file.write(
    `${JSON.stringify({ stakeport_tape: 1, recorded_at: new Date(BEGINS).toISOString(), venue: 'example' })}\n`,
  );
  let lines = 0;
  for (const line of afternoon(games, each)) {
    lines += 1;
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return lines;
}

function* afternoon(games: number, each: number): Generator<object> {
  const all = Array.from({ length: games }, (_, game) => ({ game, mid: 50 }));
  const next = numbers();
  for (const { game } of all) yield { t: BEGINS, market: described(game, null) };
  for (const { game, mid } of all) yield { t: BEGINS, m: `game-${game}`, book: ladder(mid) };
  for (let line = 1; line <= each; line++)
    for (const one of all) {
      const t = BEGINS + line * APART_MS + one.game * Math.floor(APART_MS / games);
      yield { t, m: `game-${one.game}`, ...changeOf(one, next) };
    }
  const t = BEGINS + (each + 1) * APART_MS;
  for (const { game } of all) yield { t, market: described(game, game % 2 === 0 ? ['1', '0'] : ['0', '1']) };
}

/** Most of the time a level of the bids changes, and now and then the whole book moves. */
function changeOf(one: { mid: number }, next: () => number): object {
  if (next() % 20 === 0) {
    one.mid = Math.min(80, Math.max(20, one.mid + (next() % 3) - 1));
    return { book: ladder(one.mid) };
  }
  return { levels: [['bids', cents(one.mid - 2 - (next() % 5)), `${100 + (next() % 900)}`]] };
}

/** Whole numbers, the same in every run. */
function numbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >> 16;
  };
}

const cents = (count: number): string => `0.${String(count).padStart(2, '0')}`;

function ladder(mid: number) {
  const levels = (way: 1 | -1) => Array.from({ length: 5 }, (_, n) => [cents(mid + way * (n + 1)), `${200 + 100 * n}`]);
  return { bids: levels(-1), asks: levels(1) };
}

function described(game: number, payout: readonly string[] | null) {
  const id = `game-${game}`;
  return {
    id,
    venue_id: id,
    slug: id,
    condition_id: null,
    question: `Home ${game} or away ${game}?`,
    outcomes: [
      { label: `Home ${game}`, token_id: `${id}-1` },
      { label: `Away ${game}`, token_id: `${id}-2` },
    ],
    event: { id, slug: null, title: `Home ${game} against away ${game}` },
    sport: 'soccer',
    league: game % 2 === 0 ? 'even' : 'odd',
    kind: 'moneyline',
    line: null,
    starts_at: new Date(KICK_OFF).toISOString(),
    status: payout === null ? 'open' : 'resolved',
    payout,
    lot: '0.01',
    terms: {
      tick: '0.01',
      min_shares: '1',
      min_notional: '1',
      fee: { rate: '0.03', exponent: 1, taker_only: true, as_of: '2026-01-01T00:00:00.000Z' },
      neg_risk: false,
      accepting_orders: payout === null,
      delay_seconds: 0,
      clears_book_at_start: true,
    },
    role: 'home',
  };
}
