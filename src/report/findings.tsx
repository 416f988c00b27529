import type { PlayedStrategy } from '../backtest/backtest-run.js';
import { isSettled } from '../core/performance/bet.js';
import { maxDrawdown } from '../core/performance/equity.js';
import { type Found, Measures, Missing, Segments, Skips, Slippage } from './breakdown.js';
import {
  betsWithClose,
  closingPoints,
  countsOf,
  equityPoints,
  inDollars,
  luckOf,
  medianOf,
  pointClasses,
  profitPoints,
} from './figures.js';
import { CalibrationPlot, Figure, HistogramPlot, StepPlot } from './plots.js';
import { someRows } from './thinning.js';
import { verdictSentence } from './weaknesses.js';
import {
  counted,
  decimalsFor,
  fixed,
  gainText,
  lengthText,
  MEASURE_WORDS,
  measureText,
  minuteText,
  percent,
  timeTextFor,
} from './words.js';

const MOST_ROWS = 40;

/** What one strategy, or all together, showed. */
export function StrategyFindings({
  title,
  verdict,
  ...found
}: Found & { readonly title: string; readonly verdict: boolean }) {
  return (
    <section class="findings">
      <h2>{title}</h2>
      {verdict ? <p class="verdict">{verdictSentence(found.result)}</p> : null}
      <KeyFigures {...found} />
      <Equity {...found} />
      <Profit {...found} />
      <Calibration {...found} />
      <ClosingLine {...found} />
      <Segments {...found} />
      <Slippage {...found} />
      <Skips {...found} />
      <Measures {...found} />
    </section>
  );
}

const KEY_FIGURES = ['profit_usdc', 'turnover_usdc', 'hit_rate', 'break_even_rate', 'max_drawdown', 'clv_net'] as const;

function KeyFigures({ result }: Found) {
  return (
    <dl class="key">
      <div>
        <dt>Settled bets</dt>
        <dd>
          {fixed(result.bets, 0)}
          {result.open > 0 ? `, ${result.open} open` : ''}
        </dd>
      </div>
      {KEY_FIGURES.map((name) => (
        <div key={name}>
          <dt>{MEASURE_WORDS[name].title}</dt>
          <dd>{measureText(name, result.measures[name].value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Equity({ played }: Found) {
  const { marks, bets } = played;
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === undefined || last === undefined)
    return <Missing title="Equity" why="It shared one account with others, so only all together have equity." />;
  if (marks.length === 1)
    return (
      <Missing title="Equity" why={`Equity stayed at ${fixed(inDollars(first.equity), 2)} USDC: nothing was bet.`} />
    );
  const { equity, below } = equityPoints(marks);
  const deepest = maxDrawdown(marks);
  const gist = `Equity went from ${fixed(inDollars(first.equity), 2)} to ${fixed(inDollars(last.equity), 2)} USDC, at what the bids would pay.`;
  const fall =
    deepest === null
      ? 'Equity never fell below an earlier peak.'
      : `The deepest fall below a peak was ${percent(Number(deepest.depth.n) / Number(deepest.depth.d))}, ${fixed(inDollars(deepest.lost), 2)} USDC: from ${minuteText(deepest.peakAt)} to ${minuteText(deepest.troughAt)}, ${deepest.recoveredAt === null ? 'not recovered by the end' : `recovered ${lengthText(deepest.seconds)} after the peak`}.`;
  const rows = someRows(
    marks.map((mark, at) => ({ mark, below: below[at]?.y ?? 0 })),
    MOST_ROWS,
    ({ mark }) => inDollars(mark.equity),
  );
  const timeText = timeTextFor(equity);
  return (
    <>
      <h3>Equity and drawdown</h3>
      <Figure
        gist={`${gist} ${fall} Strokes at the bottom are bets.`}
        tableName="Equity"
        table={{
          figures: true,
          columns: ['Time (UTC)', 'Equity, USDC', 'Below the peak', 'At risk, USDC'],
          rows: rows.map(({ mark, below }) => [
            minuteText(mark.at),
            fixed(inDollars(mark.equity), 2),
            percent(-below),
            fixed(inDollars(mark.atRisk), 2),
          ]),
        }}
      >
        <StepPlot
          gist={gist}
          lines={[{ name: 'equity', points: equity }]}
          valueText={(value, step) => fixed(value, decimalsFor(step))}
          timeText={timeText}
          ticks={bets.map(({ firstFillAt }) => firstFillAt.getTime())}
        />
        <StepPlot
          gist={fall}
          lines={[{ name: 'below the peak', points: below, area: true }]}
          valueText={(value, step) => percent(value, decimalsFor(step * 100))}
          timeText={timeText}
          short
        />
      </Figure>
    </>
  );
}

function Profit({ played, result }: Found) {
  const { bets } = played;
  const closed = betsWithClose(bets).length;
  const title = 'Profit beside expected profit';
  if (closed === 0) return <Missing title={title} why={noCloseText(played)} />;
  const { profit, expected } = profitPoints(bets);
  const [earned, foreseen] = [profit.at(-1)?.y ?? 0, expected.at(-1)?.y ?? 0];
  const luck = luckOf(bets);
  const gist = `Of ${counted(result.bets, 'settled bet')} ${fixed(closed, 0)} had a price of the close: by it they could expect ${gainText(foreseen)}, and they earned ${gainText(earned)}. ${differenceText(earned - foreseen, luck)}`;
  const rows = someRows(
    profit.map(({ x, y }, at) => ({ x, y, expected: expected[at]?.y ?? 0 })),
    MOST_ROWS,
    ({ y }) => y,
  );
  return (
    <>
      <h3>{title}</h3>
      <Figure
        gist={gist}
        tableName="Profit and expected profit"
        table={{
          figures: true,
          columns: ['Settled (UTC)', 'Profit, USDC', 'Expected, USDC'],
          rows: rows.map(({ x, y, expected }) => [minuteText(new Date(x)), fixed(y, 2), fixed(expected, 2)]),
        }}
      >
        <StepPlot
          gist={gist}
          lines={[
            { name: 'profit', points: profit },
            { name: 'expected by the close', points: expected, dashed: true },
          ]}
          valueText={(value, step) => fixed(value, decimalsFor(step))}
          timeText={timeTextFor(profit)}
        />
      </Figure>
    </>
  );
}

/** How much of a difference luck explains. */
function differenceText(difference: number, luck: number): string {
  if (luck === 0) return '';
  const deviations = Math.abs(difference) / luck;
  const verdict = deviations > 2 ? 'that is more than luck as a rule' : 'luck explains that';
  return `If the close was right, luck moves the profit by about ${fixed(luck, 2)} USDC (one standard deviation), and the difference is ${fixed(deviations, 1)} of them: ${verdict}.`;
}

const NO_CLOSE_WORDS: Readonly<Record<string, string>> = {
  in_play: 'was made after the start',
  no_start: 'has an event whose start is not known',
  not_started: 'has an event that had not begun',
  no_book: 'had no book in the last ten minutes',
  gap: 'had a gap before the start',
  one_sided: 'had a book with an empty side',
  wide_spread: 'had a spread above 0.05',
};

function noCloseText({ bets }: PlayedStrategy): string {
  const reasons = countsOf(bets.filter(isSettled).flatMap(({ close }) => (typeof close === 'string' ? [close] : [])));
  if (reasons.length === 0) return 'No bet has settled.';
  const words = reasons.map(([reason, count]) => `${count} ${NO_CLOSE_WORDS[reason] ?? reason}`);
  return `No bet has a price of the close. Of the settled bets ${words.join(', ')}.`;
}

const NO_FORECAST =
  'The rules stated no probability, and no market with a result had a known book ten minutes before its start, or its end.';

function Calibration({ result }: Found) {
  const listOf = (who: 'bets' | 'market') =>
    result.calibration
      .filter((bin) => bin.who === who && bin.n > 0)
      .map(({ from, to, n, forecast, won, low, high }) => ({
        who,
        bin: `${percent(Number(from), 0)} to ${percent(Number(to), 0)}`,
        n,
        forecast: Number(forecast),
        won: Number(won),
        low: Number(low),
        high: Number(high),
      }));
  const [bets, market] = [listOf('bets'), listOf('market')];
  const title = 'Calibration';
  if (bets.length + market.length === 0) return <Missing title={title} why={NO_FORECAST} />;
  const heldIn = (bins: typeof bets) => bins.filter(({ forecast, low, high }) => low <= forecast && forecast <= high);
  const about = (bins: typeof bets, who: string) =>
    bins.length === 0
      ? `${who}: none.`
      : `${who}: in ${heldIn(bins).length} of ${counted(bins.length, 'class', 'classes')} the 95 % interval of what came true holds the forecast.`;
  const gist = `${about(bets, 'Probabilities that the rules stated for their bets')} ${about(market, 'Prices of all markets before the start')}`;
  return (
    <>
      <h3>{title}</h3>
      <Figure
        gist={gist}
        tableName="Calibration"
        table={{
          columns: ['Who', 'Forecast class', 'n', 'Mean forecast', 'Came true', '95 % interval'],
          rows: [...bets, ...market].map(({ who, bin, n, forecast, won, low, high }) => [
            who,
            bin,
            fixed(n, 0),
            percent(forecast),
            percent(won),
            `${percent(low)} to ${percent(high)}`,
          ]),
        }}
      >
        <CalibrationPlot
          gist={gist}
          series={[
            { name: 'our bets', points: bets },
            { name: 'the market', points: market },
          ].filter(({ points }) => points.length > 0)}
        />
      </Figure>
    </>
  );
}

function ClosingLine({ played }: Found) {
  const points = closingPoints(played.bets);
  const median = medianOf(points);
  const title = 'Closing line value';
  if (median === null) return <Missing title={title} why={noCloseText(played)} />;
  const classes = pointClasses(points);
  const part = (is: (value: number) => boolean) => percent(points.filter(is).length / points.length, 2);
  const gist = `Of ${counted(points.length, 'bet')} before the start ${part((value) => value > 0)} got a better price than the close, and ${part((value) => value === 0)} the same. The median bet got one better by ${fixed(median, 1)} points: cents a share, before fees. The close is the last middle of the book before the start.`;
  return (
    <>
      <h3>{title}</h3>
      <Figure
        gist={gist}
        tableName="Closing line value"
        table={{
          figures: true,
          columns: ['Points', 'Bets'],
          rows: classes.map(({ end, count }, at) => [classText(end, at, classes.length), fixed(count, 0)]),
        }}
      >
        <HistogramPlot
          gist={gist}
          bars={classes}
          labels={['worse by 9 points or more', 'the same', 'better by 9 or more']}
        />
      </Figure>
    </>
  );
}

function classText(end: number, at: number, all: number): string {
  if (end === 0) return '0, the same price';
  if (at === 0) return `below ${fixed(end + 1, 0)}`;
  if (at === all - 1) return `above ${fixed(end - 1, 0)}`;
  return end < 0 ? `from ${fixed(end, 0)} to ${fixed(end + 1, 0)}` : `${fixed(end - 1, 0)} to ${fixed(end, 0)}`;
}
