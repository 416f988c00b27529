import { betsWithClose, closesMissing, closingSpread, inDollars, luckOf } from '../core/performance/bet-plots.js';
import { maxDrawdown } from '../core/performance/equity.js';
import {
  CalibrationFigure,
  ClosingFigure,
  NO_SLIPPAGE,
  noCloseText,
  ProfitFigure,
  SlippageFigure,
} from './bet-figures.js';
import { type Found, Measures, Missing, Segments, Skips } from './breakdown.js';
import { equityPoints, profitPoints } from './figures.js';
import { MEASURE_WORDS, measureText } from './measure-words.js';
import { Figure } from './plots.js';
import { StepPlot } from './step-plot.js';
import { someRows } from './thinning.js';
import { verdictSentence } from './weaknesses.js';
import { decimalsFor, fixed, lengthText, minuteText, percent } from './words.js';

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
          ticks={bets.map(({ firstFillAt }) => firstFillAt.getTime())}
          axes={['equity, USDC', 'time (UTC)']}
        />
        <StepPlot
          gist={fall}
          lines={[{ name: 'below the peak', points: below, area: true }]}
          valueText={(value, step) => percent(value, decimalsFor(step * 100))}
          axes={['below the peak', 'time (UTC)']}
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
  if (closed === 0) return <Missing title={title} why={noCloseText(closesMissing(bets))} />;
  return (
    <>
      <h3>{title}</h3>
      <ProfitFigure
        bets={result.bets}
        closed={closed}
        {...profitPoints(bets)}
        luck={luckOf(bets)}
        timeName="Time (UTC)"
        timeText={(ms) => minuteText(new Date(ms))}
      />
    </>
  );
}

const NO_FORECAST =
  'The rules stated no probability, and no market with a result had a known book ten minutes before its start, or its end.';

function Calibration({ result }: Found) {
  const title = 'Calibration';
  if (result.calibration.every(({ n }) => n === 0)) return <Missing title={title} why={NO_FORECAST} />;
  return (
    <>
      <h3>{title}</h3>
      <CalibrationFigure bins={result.calibration} shown={['bets', 'market']} />
    </>
  );
}

function ClosingLine({ played: { bets } }: Found) {
  const spread = closingSpread(bets);
  const title = 'Closing line value';
  if (spread === null) return <Missing title={title} why={noCloseText(closesMissing(bets))} />;
  return (
    <>
      <h3>{title}</h3>
      <ClosingFigure {...spread} />
    </>
  );
}

function Slippage({ result: { measures } }: Found) {
  if (measures.slippage_spread.n === 0) return <Missing title="Slippage" why={NO_SLIPPAGE} />;
  return (
    <>
      <h3>Slippage</h3>
      <SlippageFigure slippage={measures} />
    </>
  );
}
