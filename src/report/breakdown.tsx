import type { PlayedStrategy } from '../backtest/backtest-run.js';
import type { StrategyResult } from '../backtest/result.js';
import { inDollars } from '../core/performance/bet-plots.js';
import { MEASURES } from '../core/performance/measures.js';
import { SEGMENTS, type Segment, type SegmentBy, segmentsOf } from '../core/performance/segments.js';
import { MEASURE_WORDS, measureText, REASON_WORDS } from './measure-words.js';
import { FEW_BETS, PartBar, WideTable, YieldTable } from './plots.js';
import { counted, fixed, keyText, percent, SEGMENT_WORDS } from './words.js';

/** What one strategy, or all together, did, and what it showed. */
export interface Found {
  readonly played: PlayedStrategy;
  readonly result: StrategyResult;
}

/** A part of the report for which there is nothing to show, and why. */
export function Missing({ title, why }: { readonly title: string; readonly why: string }) {
  return (
    <>
      <h3>{title}</h3>
      <p>{why}</p>
    </>
  );
}

const SHOWN_SEGMENTS: readonly SegmentBy[] = ['odds', 'sport', 'league', 'kind', 'phase', 'hours_to_start'];

/** Yield by each property of bets. */
export function Segments({ played }: Pick<Found, 'played'>) {
  const segments = segmentsOf(played.bets);
  if (segments.length === 0) return null;
  return (
    <>
      <h3>Yield by part</h3>
      <p>
        Who looks at many parts finds some that won by luck. Intervals are 95 %, by the normal approximation over
        events, and so differ a little from that of the verdict, which draws events again and again; parts of fewer than{' '}
        {FEW_BETS} bets are grey, and prove nothing.
      </p>
      {SEGMENTS.map(({ by }) => ({ by, parts: segments.filter((one) => one.by === by) }))
        .filter(({ by, parts }) => SHOWN_SEGMENTS.includes(by) || (by === 'evidence' && parts.length > 1))
        .map(({ by, parts }) => (
          <SegmentTable key={by} by={by} segments={parts} />
        ))}
    </>
  );
}

const MOST_SEGMENTS = 30;

function SegmentTable({ by, segments }: { readonly by: SegmentBy; readonly segments: readonly Segment[] }) {
  const rest = segments.length - MOST_SEGMENTS;
  return (
    <>
      <h4>By {SEGMENT_WORDS[by]}</h4>
      <YieldTable
        name={SEGMENT_WORDS[by]}
        rows={segments.slice(0, MOST_SEGMENTS).map(({ key, bets, profit, interval, yield: ratio }) => ({
          name: keyText(key),
          bets,
          profit: inDollars(profit),
          value: ratio === null ? null : Number(ratio.n) / Number(ratio.d),
          interval,
        }))}
      />
      {rest > 0 ? <p>{counted(rest, 'more part')} are in result.json.</p> : null}
    </>
  );
}

/** How often each reason kept it from betting. */
export function Skips({ played }: Pick<Found, 'played'>) {
  const skips = [...played.skips].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = skips.reduce((sum, [, count]) => sum + count, 0);
  const [first] = skips;
  const title = 'Why it did not bet';
  if (first === undefined) return <Missing title={title} why="No skip is on record." />;
  const [code, most] = first;
  return (
    <>
      <h3>{title}</h3>
      <p>
        It looked and did not bet {counted(total, 'time')}, most often by <code>{code}</code>: {percent(most / total)}.
        The codes are those of decisions.
      </p>
      <WideTable
        name="Reasons for not betting"
        table={{
          figures: true,
          columns: ['Reason', 'Times', 'Part', 'As a bar'],
          rows: skips.map(([code, count]) => [
            <code key={code}>{code}</code>,
            fixed(count, 0),
            percent(count / total),
            <PartBar key={code} part={count / most} />,
          ]),
        }}
      />
    </>
  );
}

/** All measures with their intervals and formulas. */
export function Measures({ result }: Pick<Found, 'result'>) {
  return (
    <>
      <h3>Every measure</h3>
      <WideTable
        name="Every measure"
        table={{
          columns: ['Measure', 'Value', '95 % interval', 'n', 'How it is computed'],
          rows: MEASURES.map(({ name, counts }) => {
            const { value, reason, n, low, high } = result.measures[name];
            const missing = reason === null ? '–' : `– (${REASON_WORDS[reason as keyof typeof REASON_WORDS]})`;
            return [
              MEASURE_WORDS[name].title,
              value === null ? missing : measureText(name, value),
              low === null ? '' : `${measureText(name, low)} to ${measureText(name, high)}`,
              counted(n, counts.replace(/s$/, '')),
              MEASURE_WORDS[name].formula,
            ];
          }),
        }}
      />
    </>
  );
}
