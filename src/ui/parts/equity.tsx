import type { WireEquity } from '../../adapters/http/answers.js';
import { decimalsFor, fixed, percent } from '../../report/words.js';
import { rowsOf } from '../net/api.js';
import { Empty } from './figures.tsx';
import { LinePlot } from './plot.tsx';
import { type Reading, useReading } from './use-store.js';

/** Two days, one point every five minutes. */
const POINTS = 576;

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
  const rows = points.toReversed().flatMap(({ at, equity_usdc: value }) => {
    if (value === null) return [];
    highest = Math.max(highest, Number(value));
    return [{ at, value, below: highest > 0 ? Number(value) / highest - 1 : 0 }];
  });
  const last = rows.at(-1);
  if (last === undefined || rows.length < 2)
    return (
      <Empty>
        No history yet: the server adds a point every five minutes (EQUITY_EVERY), when something has changed.
      </Empty>
    );
  return (
    <>
      <LinePlot
        gist={`Equity ${fixed(Number(last.value), 2)} USDC, ${fixed(highest - Number(last.value), 2)} below its highest`}
        series={[{ name: 'equity', points: rows }]}
        axis="equity, USDC"
        format={(value, step) => fixed(value, decimalsFor(step))}
      />
      {drawdown ? (
        <LinePlot
          gist={`At most ${percent(-Math.min(...rows.map(({ below }) => below)))} below its highest before`}
          series={[{ name: 'below', points: rows.map(({ at, below: value }) => ({ at, value })), area: true }]}
          axis="below its highest"
          format={(value, step) => percent(value, decimalsFor(step * 100))}
          short
        />
      ) : null}
    </>
  );
}
