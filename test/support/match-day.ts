import type { TapeLine } from '../../src/adapters/tape/index.js';
import type { Payout } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import { alive, described, level, line, listed, pastNoon } from '../adapters/tape/tapes.js';
import { aFee, anOpenMarket } from '../core/matching/view.js';

/** Games begin an hour after the first line of the tape. */
export const KICK_OFF = pastNoon(3_600_000);

/** A game that a tape is about: two teams, no draw, no fee unless named. */
export function aMatch(name: string, changes: Partial<Market> = {}, fee = '0'): Market {
  const { terms } = anOpenMarket({ fee: aFee(fee) });
  return listed(name, {
    question: `Who wins ${name}?`,
    sport: 'soccer',
    league: 'epl',
    kind: 'moneyline',
    terms,
    startsAt: KICK_OFF,
    outcomes: [
      { label: 'Home', tokenId: `${name}-1` },
      { label: 'Away', tokenId: `${name}-2` },
    ],
    event: { id: `event-${name}`, slug: `event-${name}`, title: name },
    ...changes,
  });
}

/** So many seconds after noon, the market shows this best bid and offer, with 1000 shares each. */
export const shows = (market: Market, second: number, bid: string, ask: string): TapeLine =>
  line(second * 1000, { type: 'book', bids: [level(bid, '1000')], asks: [level(ask, '1000')] }, market);

/** The market as it is described from this second on. */
export const says = (market: Market, second: number, changes: Partial<Market> = {}): TapeLine =>
  line(second * 1000, described({ ...market, ...changes }), market);

/** Its result, so many seconds after noon. */
export const ends = (market: Market, second: number, payout: Payout): TapeLine =>
  says(market, second, { status: 'resolved', payout });

/** The lines in order of time, with a sign of life every ten seconds up to the last second. */
export function inTime(lines: readonly TapeLine[], lastSecond: number): TapeLine[] {
  const signs = Array.from({ length: Math.floor(lastSecond / 10) }, (_, n) => alive((n + 1) * 10_000));
  return [...lines, ...signs].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** A price in cents that moves by up to `most` a step and stays from `low` to `high`, the same in every run. */
export function* walk(
  seed: number,
  { low, high, most }: { readonly low: number; readonly high: number; readonly most: number },
): Generator<number, never> {
  let [state, cents] = [seed, 50];
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    cents = Math.min(high, Math.max(low, cents + (Math.floor(state / 65_536) % (2 * most + 1)) - most));
    yield cents;
  }
}
