import { beforeAll, describe, expect, it } from 'vitest';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { type BacktestRun, backtest } from '../../src/backtest/index.js';
import { SPLIT, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import { formatMicro } from '../../src/core/money.js';
import type { DecisionRecord } from '../../src/core/strategy/record/decision-record.js';
import { line, pastNoon, tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, BODIES, games } from '../support/backtests.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { runs } from '../support/runs.js';

const GAMES = games(2);
const [GAME] = GAMES as [Market, ...Market[]];
const LINES = afternoonOf(GAMES);

const played = (lines: readonly TapeLine[]) => backtest({ tapes: tape(...lines), strategies: BODIES });
/** The tape as it is. */
const plain = played(LINES);
beforeAll(() => plain);

/** What was ordered up to a moment, and why, without what comes of it later. */
async function orderedUpTo(run: Promise<BacktestRun>, upTo: Date): Promise<readonly string[]> {
  const { decisions, played: all } = await run;
  const made = [...(decisions as Iterable<DecisionRecord>)].filter(({ orderId }) => orderId !== null);
  const sent = (all[0]?.orders ?? []).map(({ placedAt: at, intent }) => ({ at, ...intent }));
  return [...made, ...sent].filter(({ at }) => at <= upTo).map(textOf);
}

/** Texts of the market, and what follows from the order in which things were made. */
const FREE = ['line', 'question', 'event', 'outcomeLabel', 'marketSlug', 'id', 'orderId', 'decisionId'];

const textOf = (row: object): string =>
  JSON.stringify(row, (name, value) => {
    if (FREE.includes(name)) return null;
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
    const every = Math.ceil(moments.length / runs(2));
    for (const moment of moments.filter((_, n) => n === 0 || n % every === every - 1)) {
      const cut = LINES.filter(({ at }) => at.getTime() <= moment);
      const at = new Date(moment);
      expect(await orderedUpTo(played(cut), at)).toEqual(await orderedUpTo(plain, at));
    }
  });

  it('when the winner is planted in every text of a market', async () => {
    const planted = GAMES.map((game, n): Market => {
      const question = n % 2 === 0 ? 'Home won' : 'Away won';
      const event = game.event && { ...game.event, title: question, slug: `${n}-won` };
      const [first, second] = ['won', 'lost'].map((label) => ({ label, tokenId: `${n}-${label}` }));
      const outcomes = first && second && ([first, second] as const);
      return {
        ...game,
        question,
        slug: `${n}-won`,
        event,
        outcomes: outcomes ?? null,
        venueId: `${n}-won`,
        line: question,
      };
    });
    const end = pastNoon(1_300_000);
    expect(await orderedUpTo(played(afternoonOf(planted)), end)).toEqual(await orderedUpTo(plain, end));
  });

  it('when a later line describes a market in another way', async () => {
    const { terms } = aMatch('dearer', {}, '0.2');
    const later = withLine(says(GAME, 500, { league: 'other', startsAt: pastNoon(3_600_000), terms }));
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

  it('when money is won that was not paid yet', async () => {
    const [first, second] = [aMatch('first'), aMatch('second')];
    const lines = [says(first, 0), shows(first, 0, '0.49', '0.51'), says(second, 1), shows(second, 1, '0.49', '0.51')];
    for (let at = 100; at < 3000; at += 100) lines.push(shows(second, at, '0.49', at % 200 === 0 ? '0.51' : '0.5'));
    const tapes = tape(...inTime([...lines, ends(first, 2000, YES_WON)], 3000));
    const { played: all } = await backtest({ tapes, strategies: [aBody('homes')], cash: 10 });
    expect(all[0]?.orders.map(({ intent, placedAt }) => [intent.marketId, placedAt >= pastNoon(2_000_000)])).toEqual([
      [first.id, false],
      [second.id, true],
    ]);
  });
});

describe('A backtest leaves nothing out', () => {
  it('counts markets without a result, and a result that pays half', async () => {
    const [won, half, open, unnamed] = [
      aMatch('won'),
      aMatch('half'),
      aMatch('open'),
      aMatch('unnamed', { sport: 'chess' }),
    ];
    const all = [won, half, open, unnamed];
    const lines = all.flatMap((game) => [says(game, 0), shows(game, 0, '0.49', '0.51')]);
    const results = [ends(won, 100, YES_WON), ends(half, 100, SPLIT)];
    const run = await backtest({ tapes: tape(...inTime([...lines, ...results], 200)), strategies: [aBody('homes')] });
    expect(run.header.tapes[0]?.markets).toBe(4);
    expect(Object.fromEntries((run.played[0]?.bets ?? []).map(({ marketId, result }) => [marketId, result]))).toEqual({
      [won.id]: 'won',
      [half.id]: 'split',
      [open.id]: 'open',
    });
  });

  it('orders and fills nothing in a gap, which it counts', async () => {
    const inGap = ({ at }: { readonly at: Date }) => at > pastNoon(290_000) && at < pastNoon(890_000);
    const kept = LINES.filter((one) => !inGap(one) || !('marketId' in one) || one.marketId !== GAME.id);
    const lost = line(290_001, { type: 'gap', reason: 'lost' }, GAME);
    const { header, played: all } = await played([...kept, lost].sort((a, b) => a.at.getTime() - b.at.getTime()));
    const ofGame = (all[0]?.orders ?? []).filter(({ intent }) => intent.marketId === GAME.id);
    const bets = (all[0]?.bets ?? []).filter(({ marketId }) => marketId === GAME.id);
    expect(ofGame.length).toBeGreaterThan(0);
    expect(ofGame.filter(({ placedAt: at }) => inGap({ at }))).toEqual([]);
    expect(bets.filter(({ firstFillAt, lastFillAt }) => [firstFillAt, lastFillAt].some((at) => inGap({ at })))).toEqual(
      [],
    );
    expect([header.gaps, Number(header.coverage) < 0.9]).toEqual([1, true]);
  });
});
