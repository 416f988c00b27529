import type { ClosingSpread, closesMissing } from '../core/performance/bet-plots.js';
import type { writtenBin } from '../core/performance/forecasts.js';
import { CalibrationPlot, Figure, HistogramPlot, WideTable } from './plots.js';
import { type PlotReader, StepPlot } from './step-plot.js';
import { type PlotPoint, someRows } from './thinning.js';
import { counted, decimalsFor, fixed, gainText, percent, SLIPPAGE_WORDS } from './words.js';

const MOST_ROWS = 40;

/** What settled bets earned beside what they could expect to earn by the close, both added up over time. */
export function ProfitFigure(props: {
  /** Settled ones, and those of them with a price of the close. */
  readonly bets: number;
  readonly closed: number;
  readonly profit: readonly PlotPoint[];
  readonly expected: readonly PlotPoint[];
  /** One standard deviation of results, in dollars. */
  readonly luck: number;
  /** As the table names it; the axis begins with a small letter. */
  readonly timeName: string;
  readonly timeText: (ms: number) => string;
  readonly reader?: PlotReader;
}) {
  const { bets, closed, profit, expected, luck, timeName, timeText, reader } = props;
  const [earned, foreseen] = [profit.at(-1)?.y ?? 0, expected.at(-1)?.y ?? 0];
  const gist = `Of ${counted(bets, 'settled bet')} ${fixed(closed, 0)} had a price of the close: by it they could expect ${gainText(foreseen)}, and they earned ${gainText(earned)}. ${differenceText(earned - foreseen, luck)}`;
  const rows = someRows(
    profit.map(({ x, y }, at) => ({ x, y, expected: expected[at]?.y ?? 0 })),
    MOST_ROWS,
    ({ y }) => y,
  );
  return (
    <Figure
      gist={gist}
      tableName="Profit and expected profit"
      table={{
        figures: true,
        columns: [timeName, 'Profit, USDC', 'Expected, USDC'],
        rows: rows.map(({ x, y, expected }) => [timeText(x), fixed(y, 2), fixed(expected, 2)]),
      }}
    >
      <StepPlot
        gist={gist}
        lines={[
          { name: 'profit', points: profit },
          { name: 'expected by the close', points: expected, dashed: true },
        ]}
        valueText={(value, step) => fixed(value, decimalsFor(step))}
        axes={['USDC since the first bet', timeName.replace(/^./, (letter) => letter.toLowerCase())]}
        reader={reader}
      />
    </Figure>
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
  in_play: 'made after the start',
  no_start: 'on an event whose start is not known',
  not_started: 'on an event that had not begun',
  no_book: 'without a book in the last ten minutes',
  gap: 'with a gap before the start',
  one_sided: 'with an empty side of the book',
  wide_spread: 'with a spread above 0.05',
};

/** Why no bet has a price of the close. */
export function noCloseText(reasons: ReturnType<typeof closesMissing>): string {
  if (reasons.length === 0) return 'No bet has settled.';
  const words = reasons.map(({ reason, bets }) => `${fixed(bets, 0)} ${NO_CLOSE_WORDS[reason] ?? reason}`);
  return `No settled bet has a price of the close: ${words.join(', ')}.`;
}

/** Whose forecasts are shown: the name of their dots, and what they are. */
const FORECASTERS = {
  bets: ['our bets', 'Probabilities that the rules stated for their bets'],
  market: ['the market', 'Prices of the markets before the start'],
  signals: ['signals', 'Signals before the start'],
} as const;

/** A class of forecasts, and whose they are. */
export type ShownBin = ReturnType<typeof writtenBin> & { readonly who: keyof typeof FORECASTERS };

/** How often came true what these gave a probability. */
export function CalibrationFigure({
  bins,
  shown,
}: {
  readonly bins: readonly ShownBin[];
  readonly shown: readonly ShownBin['who'][];
}) {
  const all = shown.map((who) => ({
    who,
    points: bins
      .filter((bin) => bin.who === who && bin.n > 0)
      .map(({ from, to, n, forecast, won, low, high }) => ({
        bin: `${percent(Number(from), 0)} to ${percent(Number(to), 0)}`,
        n,
        forecast: Number(forecast),
        won: Number(won),
        low: Number(low),
        high: Number(high),
      })),
  }));
  const about = ({ who, points }: (typeof all)[number]) => {
    const held = points.filter(({ forecast, low, high }) => low <= forecast && forecast <= high).length;
    const words = FORECASTERS[who][1];
    return points.length === 0
      ? `${words}: none.`
      : `${words}: in ${held} of ${counted(points.length, 'class', 'classes')} the 95 % interval of what came true holds the forecast.`;
  };
  const gist = `${all.map(about).join(' ')} On the dotted line as much came true as was forecast; upright strokes are the intervals.`;
  return (
    <Figure
      gist={gist}
      tableName="Calibration"
      table={{
        columns: ['Who', 'Forecast class', 'n', 'Mean forecast', 'Came true', '95 % interval'],
        rows: all.flatMap(({ who, points }) =>
          points.map(({ bin, n, forecast, won, low, high }) => [
            who,
            bin,
            fixed(n, 0),
            percent(forecast),
            percent(won),
            `${percent(low)} to ${percent(high)}`,
          ]),
        ),
      }}
    >
      <CalibrationPlot
        gist={gist}
        series={all
          .map(({ who, points }) => ({ name: FORECASTERS[who][0], points }))
          .filter(({ points }) => points.length > 0)}
      />
    </Figure>
  );
}

/** How prices paid compare with the close. */
export function ClosingFigure({ bets, better, same, median, classes }: ClosingSpread) {
  const part = (of: number) => percent(of / bets, 2);
  const gist = `Of ${counted(bets, 'bet')} before the start ${part(better)} got a better price than the close, and ${part(same)} the same. ${medianText(median)} The close is the last middle of the book before the start.`;
  return (
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
        labels={['−9 or worse', '0', '+9 or better']}
        axes={['bets', 'better than the close by so many points (cents a share)']}
      />
    </Figure>
  );
}

function medianText(median: number): string {
  const text = fixed(Math.abs(median), 1);
  if (text === '0.0') return 'The median bet paid the price of the close, before fees.';
  return `The median bet got one ${median > 0 ? 'better' : 'worse'} by ${text} points: cents a share, before fees.`;
}

function classText(end: number, at: number, all: number): string {
  if (end === 0) return '0, the same price';
  if (at === 0) return `below ${fixed(end + 1, 0)}`;
  if (at === all - 1) return `above ${fixed(end - 1, 0)}`;
  return end < 0 ? `from ${fixed(end, 0)} to ${fixed(end + 1, 0)}` : `${fixed(end - 1, 0)} to ${fixed(end, 0)}`;
}

const SLIPPAGE = ['slippage_spread', 'slippage_delay', 'slippage_depth'] as const;

/** The parts of slippage, as they are written. */
export type ShownSlippage = Readonly<
  Record<(typeof SLIPPAGE)[number], { readonly value: string | null; readonly n: number }>
>;

/** Why there is no slippage to show. */
export const NO_SLIPPAGE = 'No settled bet has a book at its decision and at its arrival.';

/** What bets paid above the middle of the book, in its parts. */
export function SlippageFigure({ slippage }: { readonly slippage: ShownSlippage }) {
  const parts = SLIPPAGE.map((name) => ({ name, ...slippage[name] }));
  const sum = parts.reduce((total, { value }) => total + Number(value), 0) * 100;
  return (
    <>
      <p>
        {counted(slippage.slippage_spread.n, 'bet')} paid {fixed(sum, 2)} points (cents a share) more than the middle of
        the book when they were decided, before fees.
      </p>
      <WideTable
        name="Slippage in its parts"
        table={{
          columns: ['Part', 'Points', 'What it is'],
          rows: parts.map(({ name, value }) => [
            SLIPPAGE_WORDS[name].title.replace('Slippage: ', ''),
            fixed(Number(value) * 100, 2),
            SLIPPAGE_WORDS[name].formula,
          ]),
        }}
      />
    </>
  );
}
