import { describe, expect, it } from 'vitest';
import type { BacktestRun, CashReading } from '../../src/backtest/backtest-run.js';
import { backtestResultOf } from '../../src/backtest/result.js';
import type { StrategyId } from '../../src/core/ids.js';
import type { Price, Usdc } from '../../src/core/money.js';
import { reportHtml } from '../../src/report/report.js';
import { aBetRow, aPlayedStrategy, aRun, aRunHeader, numbersFrom, someBets } from '../support/backtest-runs.js';
import { shares, usdc } from '../support/builders.js';

const MEGABYTE = 1_000_000;
const pageOf = (run: BacktestRun) => reportHtml(run, backtestResultOf(run));
const runOf = (...bets: Parameters<typeof aPlayedStrategy>[1]) => aRun(0, { played: [aPlayedStrategy(null, bets)] });

/** The text of a page, without its tags. */
const wordsOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');

/** Headings of the second and third level, in their order. */
const headingsOf = (html: string) => [...html.matchAll(/<h[23]>(.*?)<\/h[23]>/g)].map(([, text]) => text);

const SPIKES = new Map([
  [123_457, usdc('9000')],
  [765_433, usdc('1')],
]);

/** So many marks of equity, a second apart, that begin and end at 1000; one alone is by far the highest, and one the lowest. */
function walk(count: number): readonly CashReading[] {
  const next = numbersFrom(3);
  let equity = 1_000_000_000n;
  return Array.from({ length: count }, (_, at) => {
    equity += BigInt(Math.floor((next() - 0.5) * 2_000_000));
    const own = at === 0 || at === count - 1 ? usdc('1000') : (SPIKES.get(at) ?? (equity as Usdc));
    return {
      at: new Date(Date.UTC(2026, 2, 1) + at * 1000),
      equity: own,
      cash: own,
      atRisk: usdc('0'),
      deposited: usdc('0'),
    };
  });
}

describe('the report', () => {
  it('says first what weakens it, then the verdict, then the findings in their order', () => {
    expect(headingsOf(pageOf(aRun(60)))).toEqual([
      'What weakens it',
      'Verdict',
      'Home favourites',
      'Equity and drawdown',
      'Profit beside expected profit',
      'Calibration',
      'Closing line value',
      'Yield by part',
      'Slippage',
      'Why it did not bet',
      'Every measure',
      'Rules and settings',
      'Tapes',
      'Rules of Home favourites',
    ]);
  });

  it('is the same text for the same run', () => {
    expect(pageOf(aRun(90))).toBe(pageOf(aRun(90)));
  });

  it('has no script, and names nothing that a browser would load', () => {
    const html = pageOf(aRun(90));
    expect(html).not.toMatch(/<script|\bon\w+=|javascript:|https?:|url\(|@import|<img|<iframe|srcset/i);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)).toEqual(['data:,']);
  });

  it('shows names of tapes and strategies as text', () => {
    const name = '<script>alert("x")</script>';
    const bet = aBetRow({ league: name, strategy: { id: name as StrategyId, version: 1 } });
    const header = aRunHeader({ strategies: [{ name, rules: { note: name } }] });
    const html = pageOf(aRun(0, { header, played: [aPlayedStrategy(null, [bet]), aPlayedStrategy(name, [bet])] }));
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script>alert(');
  });

  it('gives the verdict with its events and its interval', () => {
    const run = aRun(400, { edge: 0.1 });
    const [first] = backtestResultOf(run).results;
    const percent = (text: string | null | undefined) => `${(Number(text) * 100).toFixed(1)} %`;
    const { value, low, high } = first?.measures.yield ?? {};
    expect(wordsOf(pageOf(run))).toContain(
      `Evidence of an edge: over 400 settled events the yield is +${percent(value)} of turnover, and its 95 % interval reaches from +${percent(low)} to +${percent(high)}, all of it above 0.`,
    );
  });

  it('names what each plot draws upwards and across', () => {
    const titles = [...pageOf(aRun(60)).matchAll(/<div class="(?:upwards|across)"[^>]*>(.*?)<\/div>/g)];
    expect(titles.map(([, text]) => text)).toEqual([
      ...['equity, USDC', 'time (UTC)', 'below the peak', 'time (UTC)'],
      ...['USDC since the first bet', 'time (UTC)', 'came true', 'forecast'],
      ...['bets', 'better than the close by so many points (cents a share)'],
    ]);
  });

  it.each([
    [500_000n, 'The median bet paid the price of the close'],
    [520_000n, 'The median bet got one better by 2.0 points'],
    [470_000n, 'The median bet got one worse by 3.0 points'],
  ])('says of a close at %i how the median price compares', (close, words) => {
    const price = close as Price;
    const bet = aBetRow({
      stake: usdc('10'),
      shares: shares('20'),
      close: { price, fair: { n: close, d: 1_000_000n } },
    });
    expect(wordsOf(pageOf(runOf(bet)))).toContain(words);
  });

  it('lists every measure, and of a missing one why', () => {
    const words = wordsOf(pageOf(aRun(40)));
    expect(words).toContain('Sharpe ratio – (fewer than 30 days)');
    expect(words).toContain('Hit rate that breaks even');
    expect(words).toContain('Growth per bet to be expected');
  });

  it('shows the rules and every setting', () => {
    const words = wordsOf(pageOf(aRun(1, { header: aRunHeader({ settings: { zone: 'Europe/Madrid', from: null } }) })));
    expect(words).toContain('zone Europe/Madrid');
    expect(words).toContain('from not given');
    expect(words).toContain('"role": "home"');
    expect(words).toContain('Time to the book 150 ms');
  });

  it('of several strategies begins with a table of their verdicts', () => {
    const [good, bad] = [someBets(300, { edge: 0.1, strategy: 'Good' }), someBets(60, { seed: 9, strategy: 'Bad' })];
    const strategies = ['Good', 'Bad'].map((name) => ({ name, rules: {} }));
    const played = [
      aPlayedStrategy(null, [...good, ...bad]),
      aPlayedStrategy('Good', good),
      aPlayedStrategy('Bad', bad),
    ];
    const html = pageOf(aRun(0, { header: aRunHeader({ strategies }), played }));
    expect(headingsOf(html).slice(0, 4)).toEqual(['What weakens it', 'Verdict', 'Strategies', 'All together']);
    expect(wordsOf(html)).toMatch(/Good evidence \+.* 300 300 .*Bad not enough bets .* 60 60/);
  });
});

describe('what weakens a run', () => {
  const weakOf = (run: BacktestRun) => wordsOf(pageOf(run).split('<h2>Verdict')[0] ?? '');

  it.each([
    ['an early end', aRun(40, { header: aRunHeader({ partial: true }) }), 'ended before its tapes were'],
    ['missing books', aRun(40), 'known for 98.2 % of their time'],
    ['gaps', aRun(40), '3 gaps'],
    ['assumed fills', aRun(40), 'those of 40 bets took what the book displayed'],
    ['few bets', aRun(29), 'Fewer than 30 settled events prove nothing, and there are 29'],
    [
      'trials',
      aRun(40, { header: aRunHeader({ strategies: ['a', 'b'].map((name) => ({ name, rules: {} })) }) }),
      '2 strategies were tried',
    ],
    ['open bets', runOf(aBetRow({ result: 'open', settledAt: null, payout: null })), '1 bet had no result at the end'],
    [
      'a warning',
      aRun(40, { warnings: [{ code: 'late', detail: 'Two signals came late.' }] }),
      'Two signals came late.',
    ],
  ])('says %s', (_, run, words) => {
    expect(weakOf(run)).toContain(words);
  });

  it('is silent of what is whole', () => {
    const whole = weakOf(aRun(40, { header: aRunHeader({ coverage: '1.000000000', gaps: 0 }) }));
    expect(whole).not.toMatch(/known for|gap|Fewer|tried|ended/);
  });
});

describe('a report of a million marks', () => {
  const marks = walk(1_000_000);
  const bets = someBets(2000).map((bet, at) => ({ ...bet, firstFillAt: marks[at * 499]?.at ?? bet.firstFillAt }));
  const html = pageOf(aRun(0, { played: [aPlayedStrategy(null, bets, { marks })] }));
  const [line = ''] = [...html.matchAll(/class="line" d="([^"]+)" data-name="equity"/g)].map(([, path]) => path);

  it('is below one megabyte', () => {
    expect(html.length).toBeLessThan(MEGABYTE);
  });

  it('keeps the first, the last, the highest and the lowest mark', () => {
    const [first, last] = [marks[0], marks.at(-1)].map((mark) => Number(mark?.equity));
    const heights = [...line.matchAll(/[ V](\d+)/g)].map(([, y]) => Number(y));
    expect(line).toMatch(/^M0 /);
    expect(first).toBe(last);
    expect(heights.at(-1)).toBe(heights[0]);
    expect(line).toMatch(/H1000(V\d+)*$/);
    // The plot leaves 6 % of the difference free above the highest and below the lowest mark.
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([16, 284]);
  });

  it('has a stroke for the time of each fill', () => {
    const [strokes = ''] = [...html.matchAll(/class="fills" d="([^"]+)"/g)].map(([, path]) => path);
    const columns = new Set([...strokes.matchAll(/M(\d+) /g)].map(([, x]) => Number(x)));
    const expected = bets.map(({ firstFillAt }) => (firstFillAt.getTime() - Date.UTC(2026, 2, 1)) / 999_999);
    expect(expected.map(Math.round).filter((column) => !columns.has(column))).toEqual([]);
  });
});
