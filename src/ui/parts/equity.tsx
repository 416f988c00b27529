import { useState } from 'preact/hooks';
import type { WireEquity } from '../../adapters/http/answers.js';
import { decimalsFor, fixed, gainText, percent } from '../../report/words.js';
import { rowsOf } from '../net/api.js';
import { Empty, Trouble } from './figures.tsx';
import { LinePlot, PLOT_RANGES, type PlotRange, RangeChoice } from './plot.tsx';
import { type Reading, useMoneyNames, useReading, useSelected } from './use-store.js';

/** The most points of a plot: more cannot be told apart. */
const MOST_POINTS = 300;
/** With fewer points the next finer spacing is read too. */
const FEW_POINTS = 30;

type Spacing = '' | '&every=hour' | '&every=day';
/** What is asked for a range, the coarsest first. */
const SPACINGS: Readonly<Record<PlotRange, readonly Spacing[]>> = {
  day: [''],
  week: ['&every=hour', ''],
  all: ['&every=day', '&every=hour', ''],
};

/** What the account, or a strategy, was worth before, newest first: at most some hundred points, however long ago it began. */
export function useHistory(paper: boolean, strategy: string | null, range: PlotRange): Reading<readonly WireEquity[]> {
  const of = strategy === null ? '' : `&strategy_id=${strategy}`;
  const read = async () => {
    let rows: readonly WireEquity[] = [];
    for (const spacing of SPACINGS[range]) {
      const found = await rowsOf<WireEquity>(`/v1/portfolio/history?paper=${paper}${of}${spacing}`, MOST_POINTS);
      const finer = within(range, found);
      if (rows.length > 0 && finer.length >= MOST_POINTS) break;
      rows = finer;
      if (rows.length >= FEW_POINTS) break;
    }
    return rows;
  };
  return useReading(`history ${paper} ${strategy} ${range}`, read, 60_000);
}

/** The points of the range before the newest, and the one that held when it began. */
function within(range: PlotRange, rows: readonly WireEquity[]): readonly WireEquity[] {
  const begins = Date.parse(rows[0]?.at ?? '') - PLOT_RANGES[range][1];
  const after = rows.filter(({ at }) => Date.parse(at) >= begins);
  const before = rows[after.length];
  return before === undefined ? after : [...after, { ...before, at: new Date(begins).toISOString() }];
}

/** The equity of the account, over a range that is chosen. */
export function EquityHistory({ drawdown = false }: { readonly drawdown?: boolean }) {
  const paper = useSelected((state) => state.paper);
  const [range, choose] = useState<PlotRange>('day');
  const { value, problem } = useHistory(paper, null, range);
  return (
    <>
      <RangeChoice chosen={range} choose={choose} />
      <Trouble text={problem} />
      <EquityPlot points={value} drawdown={drawdown} />
    </>
  );
}

/** What a strategy earned, over a range that is chosen. */
export function StrategyPlot({ id }: { readonly id: string }) {
  const { badge } = useMoneyNames();
  const paper = useSelected((state) => state.paper);
  const [range, choose] = useState<PlotRange>('week');
  const { value, problem } = useHistory(paper, id, range);
  const points = (value ?? []).map(({ at, profit_usdc: profit }) => ({ at, value: profit })).reverse();
  const last = points.at(-1);
  return (
    <section aria-label="Profit over time">
      <h3>Profit over time</h3>
      <RangeChoice chosen={range} choose={choose} />
      <Trouble text={problem} />
      {last === undefined || points.length < 2 ? (
        <Empty>
          {value === null
            ? 'Reading…'
            : 'No history yet: the server adds a point every five minutes, unless it is set otherwise, once it has bet.'}
        </Empty>
      ) : (
        <LinePlot
          gist={`${badge(paper)} profit ${gainText(Number(last.value))}, open positions at what the bids would pay`}
          series={[{ name: 'profit', points }]}
          axis="profit, USDC"
          format={(amount, step) => fixed(amount, decimalsFor(step))}
        />
      )}
    </section>
  );
}

/** Equity over time, and below it, where wanted, how far it was below its highest; `points` is null before they are read. */
function EquityPlot(props: { readonly points: readonly WireEquity[] | null; readonly drawdown?: boolean }) {
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
        No history yet: the server adds a point every five minutes, unless it is set otherwise, when something has
        changed.
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
