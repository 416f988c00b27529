import type { WireEquity } from '../../adapters/http/answers.js';
import { rowsOf } from '../net/api.js';
import { dollarText, microOf } from '../state/amounts.js';
import { Empty } from './figures.tsx';
import { Plot } from './plot.tsx';
import { type Reading, useReading } from './use-store.js';

/** Two days, one point every five minutes. */
const POINTS = 576;

/** What the account, or a strategy, was worth before, newest first. */
export function useHistory(paper: boolean, strategy: string | null): Reading<readonly WireEquity[]> {
  const of = strategy === null ? '' : `&strategy_id=${strategy}`;
  const read = () => rowsOf<WireEquity>(`/v1/portfolio/history?paper=${paper}${of}`, POINTS);
  return useReading(`history ${paper} ${strategy}`, read, 60_000);
}

/** Equity over time, and how far it was below its highest; `points` is null before they are read. */
export function EquityPlot({ points }: { readonly points: readonly WireEquity[] | null }) {
  if (points === null) return <p>Reading…</p>;
  const known = points.filter(({ equity_usdc }) => equity_usdc !== null).toReversed();
  if (known.length < 2)
    return (
      <Empty>
        No history yet: the server adds a point every five minutes (EQUITY_EVERY), when something has changed.
      </Empty>
    );
  let peak = 0n;
  const rows = known.map(({ at, equity_usdc }) => {
    const equity = microOf(equity_usdc ?? '0');
    if (equity > peak) peak = equity;
    return { at, equity, peak };
  });
  const last = rows.at(-1);
  const gist = `Equity ${dollarText(last?.equity ?? 0n)} USDC, ${dollarText((last?.peak ?? 0n) - (last?.equity ?? 0n))} below its highest`;
  return (
    <Plot
      gist={gist}
      moments={rows.map(({ at }) => Date.parse(at))}
      lines={[
        { name: 'Equity', values: rows.map(({ equity }) => equity) },
        { name: 'Highest', values: rows.map(({ peak: highest }) => highest), dashed: true },
      ]}
      rows={rows.map(({ at, equity, peak: highest }) => ({ at, texts: [dollarText(equity), dollarText(highest)] }))}
    />
  );
}
