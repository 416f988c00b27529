import type { WireEquity } from '../../adapters/http/answers.js';
import { Figure, StepPlot } from '../../report/plots.js';
import { someRows } from '../../report/thinning.js';
import { decimalsFor, fixed, minuteText, percent, timeTextFor } from '../../report/words.js';
import { rowsOf } from '../net/api.js';
import { Empty } from './figures.tsx';
import { type Reading, useReading } from './use-store.js';

/** Two days, one point every five minutes. */
const POINTS = 576;
const MOST_ROWS = 40;

/** What the account, or a strategy, was worth before, newest first. */
export function useHistory(paper: boolean, strategy: string | null): Reading<readonly WireEquity[]> {
  const of = strategy === null ? '' : `&strategy_id=${strategy}`;
  const read = () => rowsOf<WireEquity>(`/v1/portfolio/history?paper=${paper}${of}`, POINTS);
  return useReading(`history ${paper} ${strategy}`, read, 60_000);
}

/** Equity over time, and below it, where wanted, how far it was below its highest; `points` is null before they are read. */
export function EquityPlot(props: { readonly points: readonly WireEquity[] | null; readonly drawdown?: boolean }) {
  const { points, drawdown = false } = props;
  if (points === null) return <p>Reading…</p>;
  let highest = 0;
  const rows = points
    .filter(({ equity_usdc }) => equity_usdc !== null)
    .toReversed()
    .map(({ at, equity_usdc }) => {
      const [x, y] = [Date.parse(at), Number(equity_usdc)];
      highest = Math.max(highest, y);
      return { x, y, highest };
    });
  if (rows.length < 2)
    return (
      <Empty>
        No history yet: the server adds a point every five minutes (EQUITY_EVERY), when something has changed.
      </Empty>
    );
  const below = rows.map(({ x, y, highest: top }) => ({ x, y: top > 0 ? y / top - 1 : 0 }));
  const last = rows.at(-1)?.y ?? 0;
  const gist = `Equity ${fixed(last, 2)} USDC, ${fixed(highest - last, 2)} below its highest`;
  const timeText = timeTextFor(rows);
  return (
    <Figure
      gist={gist}
      tableName="Equity"
      table={{
        figures: true,
        columns: ['Time (UTC)', 'Equity, USDC', 'Highest, USDC'],
        rows: someRows(rows, MOST_ROWS, ({ y }) => y).map(({ x, y, highest: top }) => [
          minuteText(new Date(x)),
          fixed(y, 2),
          fixed(top, 2),
        ]),
      }}
    >
      <StepPlot
        gist={gist}
        lines={[{ name: 'equity', points: rows }]}
        valueText={(value, step) => fixed(value, decimalsFor(step))}
        timeText={timeText}
        axes={['equity, USDC', 'time (UTC)']}
      />
      {drawdown ? (
        <StepPlot
          gist={`At most ${percent(-Math.min(...below.map(({ y }) => y)))} below its highest before`}
          lines={[{ name: 'below', points: below, area: true }]}
          valueText={(value, step) => percent(value, decimalsFor(step * 100))}
          timeText={timeText}
          axes={['below its highest', 'time (UTC)']}
          short
        />
      ) : null}
    </Figure>
  );
}
