import type { ComponentChildren } from 'preact';
import { Axes, type AxisTitles, Legend, PLOT_HEIGHT, PLOT_WIDTH, type PlotLine, scaled, ValueLabels } from './plots.js';
import { type Extent, extentOf, type PlotPoint, roundTicks, roundTimes, thinned } from './thinning.js';
import { secondText, tickText } from './words.js';

const COLUMNS = 1000;
/** Where the last label of a time may stand, in percent: further right it would not fit. */
const LAST_LABEL = 97;
/** Room above and below what is drawn, as a part of its height. */
const ROOM = 0.06;

const withRoom = ({ low, high }: Extent): Extent => {
  const room = high === low ? 1 : (high - low) * ROOM;
  return { low: low - room, high: high + room };
};

/** The moments of a plot, in their order: where each lies, from 0 at the left to 1, and its time and values in words. */
export interface PlotMoments {
  readonly gist: string;
  readonly parts: readonly number[];
  readonly textOf: (index: number) => string;
}

/** What lets a plot be read at its moments. */
export type PlotReader = (props: PlotMoments) => ComponentChildren;

/** What is drawn of values over time. */
export interface StepPlotProps {
  readonly gist: string;
  /** A value that is not a number is a gap, until the next. */
  readonly lines: readonly PlotLine[];
  /** `step` is how far apart the values are that are named; 0 for one that is read by itself. */
  readonly valueText: (value: number, step: number) => string;
  /** Moments that get a short stroke at the bottom, such as fills. */
  readonly ticks?: readonly number[];
  readonly short?: boolean;
  readonly axes: AxisTitles;
  /** Under the pointer alone where it is absent: without a script nothing else is possible. */
  readonly reader?: PlotReader | undefined;
}

/** Values over time as steps: each holds until the next. */
export function StepPlot(props: StepPlotProps) {
  const { gist, lines, valueText, ticks = [], short = false, axes, reader: Reader = HoverReader } = props;
  const across = extentOf(lines.flatMap(({ points }) => [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]));
  const down = withRoom(extentOf(lines.flatMap(({ points }) => Object.values(extentOf(ys(points))))));
  const rows = roundTicks(down, short ? 3 : 5);
  const step = (rows[1] ?? 1) - (rows[0] ?? 0);
  const yOf = (value: number) => PLOT_HEIGHT - scaled(value, down, PLOT_HEIGHT);
  const named = new Set(ticks);
  const columns = new Set(ticks.map((moment) => scaled(moment, across, PLOT_WIDTH)));
  const times = roundTimes(across, 5);
  return (
    <div class={short ? 'plot short' : 'plot'}>
      <Axes axes={axes} />
      <ValueLabels values={rows} down={down} valueText={(value) => valueText(value, step)} />
      <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={gist}>
        <path class="guide" d={rows.map((value) => `M0 ${yOf(value)}H${PLOT_WIDTH}`).join('')} />
        <path class="guide" d={times.map((ms) => `M${scaled(ms, across, PLOT_WIDTH)} ${PLOT_HEIGHT}v6`).join('')} />
        {lines.map(({ name, points, dashed = false, area = false }) => {
          const path = stepPath(
            thinned(points, COLUMNS, (at) => named.has(points[at]?.x ?? Number.NaN)),
            (x) => scaled(x, across, PLOT_WIDTH),
            yOf,
          );
          return (
            <>
              {area && path !== '' ? <path class="area" d={`${path}V${yOf(0)}H0Z`} /> : null}
              <path class={dashed ? 'dashed' : 'line'} d={path} data-name={name} />
            </>
          );
        })}
        {columns.size > 0 ? (
          <path
            class="fills"
            d={[...columns]
              .sort((a, b) => a - b)
              .map((x) => `M${x} ${PLOT_HEIGHT}v-9`)
              .join('')}
          />
        ) : null}
      </svg>
      <div class="times clock" aria-hidden="true">
        {times
          .filter((ms) => scaled(ms, across, 100) < LAST_LABEL)
          .map((ms, at) => (
            <span key={ms} style={`left:${scaled(ms, across, 1000) / 10}%`}>
              {tickText(ms, times, at)}
            </span>
          ))}
      </div>
      {lines.length > 1 ? <Legend lines={lines} /> : null}
      <Reader {...momentsOf({ gist, lines, across, valueText })} />
    </div>
  );
}

function* ys(points: readonly PlotPoint[]): Generator<number> {
  for (const { y } of points) if (!Number.isNaN(y)) yield y;
}

function stepPath(points: readonly PlotPoint[], xOf: (x: number) => number, yOf: (y: number) => number): string {
  let path = '';
  let before = null as { readonly x: number; readonly y: number } | null;
  for (const point of points) {
    const x = xOf(point.x);
    if (before !== null && before.x !== x) path += `H${x}`;
    const y = Number.isNaN(point.y) ? null : yOf(point.y);
    if (y !== null && before?.y !== y) path += before === null ? `M${x} ${y}` : `V${y}`;
    before = y === null ? null : { x, y };
  }
  return path;
}

function momentsOf(of: Pick<StepPlotProps, 'gist' | 'lines' | 'valueText'> & { readonly across: Extent }): PlotMoments {
  const { gist, lines, valueText, across } = of;
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const valueAt = ({ name, points }: PlotLine, time: number): string => {
    const value = points[placeAfter(points, time) - 1]?.y ?? Number.NaN;
    return `${lines.length > 1 ? `${name} ` : ''}${Number.isNaN(value) ? 'none' : valueText(value, 0)}`;
  };
  return {
    gist,
    parts: times.map((time) => (across.high === across.low ? 0 : (time - across.low) / (across.high - across.low))),
    textOf: (index) => {
      const time = times[index] ?? 0;
      return `${secondText(time)}: ${lines.map((line) => valueAt(line, time)).join(', ')}`;
    },
  };
}

/** How many points are not after a time. */
function placeAfter(points: readonly PlotPoint[], time: number): number {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((points[middle]?.x ?? 0) <= time) from = middle + 1;
    else to = middle;
  }
  return from;
}

const MOST_HOVERED = 120;

/** The values under the pointer, without a script: a column for each of some moments. */
function HoverReader({ parts, textOf }: PlotMoments) {
  const most = Math.min(parts.length, MOST_HOVERED);
  const places = Array.from({ length: most }, (_, at) => Math.round((at * (parts.length - 1)) / Math.max(1, most - 1)));
  const partAt = (at: number) => parts[places[at] ?? 0] ?? 0;
  return (
    <div class="hovers" aria-hidden="true">
      {places.map((place, at) => {
        const [left, right] = [at === 0 ? 0 : partAt(at), at === most - 1 ? 1 : partAt(at + 1)];
        return (
          <span key={place} style={`width:${Math.round((right - left) * 10_000) / 100}%`}>
            <b>{textOf(place)}</b>
          </span>
        );
      })}
    </div>
  );
}
