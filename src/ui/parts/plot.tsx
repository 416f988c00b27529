import { useState } from 'preact/hooks';
import { Figure } from '../../report/plots.js';
import { type PlotMoments, StepPlot } from '../../report/step-plot.js';
import { someRows } from '../../report/thinning.js';
import { minuteText } from '../../report/words.js';

const MOST_ROWS = 40;

/** What a plot may be asked to show, in the order of its buttons, in milliseconds before the newest moment. */
export const PLOT_RANGES = {
  day: ['A day', 86_400_000],
  week: ['A week', 7 * 86_400_000],
  all: ['All', Number.POSITIVE_INFINITY],
} as const;
/** One of them. */
export type PlotRange = keyof typeof PLOT_RANGES;

/** One line of a plot, oldest point first. */
export interface PlotSeries {
  readonly name: string;
  /** Each value holds until the next; null is a gap. */
  readonly points: readonly { readonly at: string; readonly value: string | number | null }[];
  readonly dashed?: boolean;
  /** Whether the room between the line and 0 is filled. */
  readonly area?: boolean;
}

/** What is drawn of values over time. */
export interface LinePlotProps {
  /** A sentence of what it shows, with its last figures. */
  readonly gist: string;
  readonly series: readonly PlotSeries[];
  /** What is drawn upwards, with its unit: `equity, USDC`. */
  readonly axis: string;
  /** A value in words; `step` is how far apart those are that are named, 0 of one that is read by itself. */
  readonly format: (value: number, step: number) => string;
  /** The range that is shown, and what asks for another; absent where there is one alone. */
  readonly ranges?: { readonly chosen: PlotRange; readonly choose: (range: PlotRange) => void };
  readonly short?: boolean;
}

/**
 * Values over time as steps, with a table of them. They are read under the pointer, and by the arrow keys, Page Up and Down, Home and End.
 * Times are in UTC.
 */
export function LinePlot({ gist, series, axis, format, ranges, short = false }: LinePlotProps) {
  const lines = series.map(({ points, ...line }) => ({
    ...line,
    points: points.map(({ at, value }) => ({ x: Date.parse(at), y: value === null ? Number.NaN : Number(value) })),
  }));
  const [first, ...more] = lines;
  const rows = someRows(first?.points ?? [], MOST_ROWS, ({ y }) => y);
  const textOfValue = (y: number | undefined) => (y === undefined || Number.isNaN(y) ? '—' : format(y, 0));
  return (
    <>
      {ranges === undefined ? null : <RangeChoice {...ranges} />}
      <Figure
        gist={gist}
        tableName={axis.replace(/^./, (letter) => letter.toUpperCase()).replace(/,.*/, '')}
        table={{
          figures: true,
          columns: ['Time (UTC)', ...series.map(({ name }) => name)],
          rows: rows.map(({ x, y }) => [
            minuteText(new Date(x)),
            textOfValue(y),
            ...more.map(({ points }) => textOfValue(points.findLast((point) => point.x <= x)?.y)),
          ]),
        }}
      >
        <StepPlot
          gist={gist}
          lines={lines}
          valueText={format}
          axes={[axis, 'time (UTC)']}
          short={short}
          reader={PlotCursor}
        />
      </Figure>
    </>
  );
}

/** Buttons of the ranges. */
export function RangeChoice({ chosen, choose }: Exclude<LinePlotProps['ranges'], undefined>) {
  return (
    <fieldset class="switch">
      <legend class="hidden">How much of the past is shown</legend>
      {(Object.keys(PLOT_RANGES) as PlotRange[]).map((range) => (
        <button key={range} type="button" aria-pressed={range === chosen} onClick={() => choose(range)}>
          {PLOT_RANGES[range][0]}
        </button>
      ))}
    </fieldset>
  );
}

/** Reads a plot: the moment that is nearest to the pointer, or the one that the keys went to. */
export function PlotCursor({ gist, parts, textOf }: PlotMoments) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = parts.length - 1;
  const at = chosen === null ? null : Math.min(chosen, last);
  const point = ({ currentTarget, clientX }: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(nearestTo((clientX - left) / width, parts));
  };
  const press = (event: KeyboardEvent) => {
    const to = placeAfterKey(event.key, at ?? last, last);
    if (to === undefined) return;
    event.preventDefault();
    setChosen(to);
  };
  if (last < 0) return null;
  return (
    <>
      <div
        class="cursor"
        role="slider"
        tabIndex={0}
        aria-label={`Moments of: ${gist}`}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={`${(at ?? last) + 1} of ${last + 1}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(null)}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
      >
        {at === null ? null : <span style={`left:${(parts[at] ?? 0) * 100}%`} />}
      </div>
      <p class="reading" role="status">
        {at === null ? '' : textOf(at)}
      </p>
    </>
  );
}

function nearestTo(part: number, parts: readonly number[]): number {
  let [from, to] = [0, parts.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((parts[middle] ?? 0) < part) from = middle;
    else to = middle;
  }
  return part - (parts[from] ?? 0) <= (parts[to] ?? 0) - part ? from : to;
}

/** Where a key leads, some of the way where it is a page; undefined of another key, null where nothing is read any more. */
function placeAfterKey(key: string, at: number, last: number): number | null | undefined {
  const page = Math.max(1, Math.round(last / 10));
  const ways: Readonly<Record<string, number | null>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - page,
    PageUp: at + page,
    Home: 0,
    End: last,
    Escape: null,
  };
  const way = ways[key];
  return typeof way === 'number' ? Math.max(0, Math.min(last, way)) : way;
}
