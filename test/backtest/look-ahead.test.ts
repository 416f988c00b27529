import { describe, expect, it } from 'vitest';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { type BacktestRun, backtest } from '../../src/backtest/index.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import { formatMicro } from '../../src/core/money.js';
import type { DecisionRecord } from '../../src/core/strategy/record/decision-record.js';
import { pastNoon, tape } from '../adapters/tape/tapes.js';
import { afternoonOf, BODIES, games } from '../support/backtests.js';
import { ends, says } from '../support/match-day.js';

const GAMES = games(2);
const [GAME] = GAMES as [Market, ...Market[]];
const LINES = afternoonOf(GAMES);

const played = (lines: readonly TapeLine[]) => backtest({ tapes: tape(...lines), strategies: BODIES });
/** The tape as it is. */
const plain = played(LINES);

/** What was ordered up to a moment, and why, without what comes of it later. */
async function orderedUpTo(run: Promise<BacktestRun>, upTo: Date): Promise<readonly string[]> {
  const { decisions, played: all } = await run;
  const made = [...(decisions as Iterable<DecisionRecord>)].filter(({ orderId }) => orderId !== null);
  const sent = (all[0]?.orders ?? []).map(({ placedAt: at, intent }) => ({ at, ...intent }));
  return [...made, ...sent].filter(({ at }) => at <= upTo).map(textOf);
}

const textOf = (row: object): string =>
  JSON.stringify(row, (name, value) => {
    if (['question', 'event', 'id', 'orderId', 'decisionId', 'marketSlug'].includes(name)) return null;
    return typeof value === 'bigint' ? formatMicro(value) : value;
  });

/** The lines, with another one among them. */
const withLine = (line: TapeLine): readonly TapeLine[] =>
  [...LINES, line].sort((a, b) => a.at.getTime() - b.at.getTime());

const RIGHT_BEFORE = pastNoon(499_999);

describe('A backtest does not look ahead', () => {
  it('when the tape is cut right after a decision', async () => {
    const moments = [...new Set((await plain).played[0]?.orders.map(({ placedAt }) => placedAt.getTime()))];
    expect(moments.length).toBeGreaterThan(8);
    for (const moment of moments.filter((_, n) => n % Math.ceil(moments.length / 2) === 1)) {
      const cut = LINES.filter(({ at }) => at.getTime() <= moment);
      const at = new Date(moment);
      expect(await orderedUpTo(played(cut), at)).toEqual(await orderedUpTo(plain, at));
    }
  });

  it('when the winner is planted in every text of a market', async () => {
    const planted = GAMES.map((game, n): Market => {
      const question = n % 2 === 0 ? 'Home won' : 'Away won';
      const event = game.event && { ...game.event, title: question, slug: `${n}-won` };
      return { ...game, question, slug: `${n}-won`, event };
    });
    const end = pastNoon(1_300_000);
    expect(await orderedUpTo(played(afternoonOf(planted)), end)).toEqual(await orderedUpTo(plain, end));
  });

  it('when a later line describes a market in another way', async () => {
    const later = withLine(says(GAME, 500, { league: 'other', startsAt: pastNoon(3_600_000) }));
    expect(await orderedUpTo(played(later), RIGHT_BEFORE)).toEqual(await orderedUpTo(plain, RIGHT_BEFORE));
  });

  it('when a result comes before its time', async () => {
    const early = played(withLine(ends(GAME, 500, YES_WON)));
    expect(await orderedUpTo(early, RIGHT_BEFORE)).toEqual(await orderedUpTo(plain, RIGHT_BEFORE));
    const paid = ((await early).played[0]?.bets ?? []).filter(
      ({ payout, marketId }) => payout !== null && marketId === GAME.id,
    );
    expect(paid.length).toBeGreaterThan(0);
    expect(paid.every(({ settledAt }) => settledAt !== null && settledAt > RIGHT_BEFORE)).toBe(true);
  });
});
