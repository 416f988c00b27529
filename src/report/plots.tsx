import type { ComponentChildren } from 'preact';
import { type Extent, type PlotPoint, roundTicks } from './thinning.js';
import { fixed, percent, signedPercent } from './words.js';

/** A table: its columns, and rows of cells. The first cell of a row names it. */
export interface TableOf {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** True where all cells but the first are figures. */
  readonly figures?: boolean;
}

const PROSE = 40;

/** A table that can be scrolled sideways where the page is narrow. */
export function WideTable({ name, table, dim }: { name: string; table: TableOf; dim?: (row: number) => boolean }) {
  const [head, ...more] = table.columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section class="scroll" aria-label={name} tabIndex={0}>
      <table class={table.figures === true ? 'figures' : undefined}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {more.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([first, ...cells], at) => (
            <tr key={`${at}`} class={dim?.(at) === true ? 'dim' : undefined}>
              <th scope="row">{first}</th>
              {cells.map((cell, place) => (
                <td key={more[place]} class={typeof cell === 'string' && cell.length > PROSE ? 'prose' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A plot with the sentence that says what it shows, and the same as a table. */
export function Figure(props: {
  readonly gist: string;
  readonly tableName: string;
  readonly table: TableOf;
  readonly children: ComponentChildren;
}) {
  const { gist, tableName, table, children } = props;
  return (
    <figure>
      <figcaption>{gist}</figcaption>
      {children}
      <details>
        <summary>{tableName} as a table</summary>
        <WideTable name={tableName} table={table} />
      </details>
    </figure>
  );
}

/** One line of a plot. */
export interface PlotLine {
  readonly name: string;
  readonly points: readonly PlotPoint[];
  /** A dashed line can be told from others without colour. */
  readonly dashed?: boolean;
  /** A filled area between the line and 0. */
  readonly area?: boolean;
}

/** What is drawn upwards and across, with units, in a few words. */
export type AxisTitles = readonly [upwards: string, across: string];

/** The titles of both axes. */
export function Axes({ axes: [upwards, across] }: { readonly axes: AxisTitles }) {
  return (
    <>
      <div class="upwards" aria-hidden="true">
        {upwards}
      </div>
      <div class="across" aria-hidden="true">
        {across}
      </div>
    </>
  );
}

/** The width of what is drawn, in units of its own. */
export const PLOT_WIDTH = 1000;
/** The height of what is drawn, in units of its own. */
export const PLOT_HEIGHT = 300;

/** Where a value lies within an extent, from 0 to a size. */
export const scaled = (value: number, { low, high }: Extent, size: number): number =>
  high === low ? 0 : Math.round(((value - low) / (high - low)) * size);

/** Values beside the plot, each at its height. */
export function ValueLabels(props: { values: readonly number[]; down: Extent; valueText: (value: number) => string }) {
  const { values, down, valueText } = props;
  return (
    <div class="values" aria-hidden="true">
      {values.map((value) => (
        <span key={value} style={`bottom:${scaled(value, down, 1000) / 10}%`}>
          {valueText(value)}
        </span>
      ))}
    </div>
  );
}

/** The names of lines, beside how each is drawn. */
export function Legend({ lines }: { lines: readonly Pick<PlotLine, 'name' | 'dashed'>[] }) {
  return (
    <ul class="legend" aria-hidden="true">
      {lines.map(({ name, dashed = false }) => (
        <li key={name}>
          <svg viewBox="0 0 24 6" width="24" height="6" aria-hidden="true">
            <path class={dashed ? 'dashed' : 'line'} d="M0 3H24" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** How often came true what was said to have one probability, with the interval of that rate. */
export interface CalibrationPoint {
  readonly forecast: number;
  readonly won: number;
  readonly low: number;
  readonly high: number;
}

const SQUARE = 500;
const at = (part: number): number => Math.round(part * SQUARE);

/** Forecasts across, results upwards; a forecast that is right lies on the diagonal. Full dots are the first series, rings the second. */
export function CalibrationPlot(props: {
  readonly gist: string;
  readonly series: readonly { readonly name: string; readonly points: readonly CalibrationPoint[] }[];
}) {
  const { gist, series } = props;
  const parts = [0, 0.25, 0.5, 0.75, 1];
  return (
    <div class="plot square" role="img" aria-label={gist}>
      <Axes axes={['came true', 'forecast']} />
      <ValueLabels values={parts} down={{ low: 0, high: 1 }} valueText={(part) => `${part * 100} %`} />
      <svg viewBox={`0 0 ${SQUARE} ${SQUARE}`} aria-hidden="true">
        <path class="guide" d={parts.map((part) => `M0 ${at(part)}H${SQUARE}M${at(part)} 0V${SQUARE}`).join('')} />
        <path class="diagonal" d={`M0 ${SQUARE}L${SQUARE} 0`} />
        {series.map(({ name, points }, place) => (
          <g key={name} class={place === 0 ? 'dots' : 'rings'}>
            {points.map(({ forecast, won, low, high }) => (
              <g key={forecast}>
                <path class="whisker" d={`M${at(forecast)} ${at(1 - low)}V${at(1 - high)}`} />
                <circle cx={at(forecast)} cy={at(1 - won)} r="6" />
              </g>
            ))}
          </g>
        ))}
      </svg>
      <div class="times" aria-hidden="true">
        {['0 %', '50 %', '100 %'].map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      {series.length > 1 ? (
        <ul class="legend" aria-hidden="true">
          {series.map(({ name }, place) => (
            <li key={name}>
              <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
                <g class={place === 0 ? 'dots' : 'rings'}>
                  <circle cx="7" cy="7" r="5" />
                </g>
              </svg>
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** How many there are of each class, as bars side by side; those below 0 have another colour, and that of 0 a third. */
export function HistogramPlot(props: {
  readonly gist: string;
  readonly bars: readonly { readonly end: number; readonly count: number }[];
  readonly labels: readonly string[];
  readonly axes: AxisTitles;
}) {
  const { gist, bars, labels, axes } = props;
  const down = { low: 0, high: Math.max(1, ...bars.map(({ count }) => count)) };
  const width = PLOT_WIDTH / Math.max(1, bars.length);
  const rows = roundTicks(down, 3).filter(Number.isInteger);
  return (
    <div class="plot short" role="img" aria-label={gist}>
      <Axes axes={axes} />
      <ValueLabels values={rows} down={down} valueText={(count) => `${count}`} />
      <svg viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          class="guide"
          d={rows.map((value) => `M0 ${PLOT_HEIGHT - scaled(value, down, PLOT_HEIGHT)}H${PLOT_WIDTH}`).join('')}
        />
        {bars.map(({ end, count }, place) => {
          const high = scaled(count, down, PLOT_HEIGHT);
          const left = Math.round(place * width);
          const right = Math.round((place + 1) * width);
          return (
            <rect
              key={end}
              class={end < 0 ? 'bar loss' : end === 0 ? 'bar same' : 'bar'}
              x={left + 2}
              y={PLOT_HEIGHT - high}
              width={right - left - 4}
              height={high}
            />
          );
        })}
      </svg>
      <div class="times" aria-hidden="true">
        {labels.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  );
}

/** A value with its interval as a dot and a whisker on a line that has 0 in it. */
export function IntervalBar(props: {
  readonly value: number;
  readonly interval: readonly [low: number, high: number] | null;
  readonly extent: Extent;
}) {
  const { value, interval, extent } = props;
  const xOf = (part: number) => Math.min(200, Math.max(0, scaled(part, extent, 200)));
  return (
    <svg class="interval" viewBox="0 0 200 16" width="200" height="16" aria-hidden="true">
      <path class="guide" d={`M${xOf(0)} 0V16`} />
      {interval === null ? null : <path class="whisker" d={`M${xOf(interval[0])} 8H${xOf(interval[1])}`} />}
      <circle class={value < 0 ? 'loss' : undefined} cx={xOf(value)} cy="8" r="4" />
    </svg>
  );
}

/** The yield of bets that share one property. */
export interface YieldRow {
  readonly name: string;
  readonly bets: number;
  /** Null without a stake. */
  readonly value: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  /** In dollars; null where it is not known. */
  readonly profit: number | null;
}

/** Fewer bets prove nothing. */
export const FEW_BETS = 30;

/** Whether two yields differ by more than chance, by their intervals; the bets of both count as independent. */
export function yieldDifferenceText(one: YieldRow, other: YieldRow): string {
  const [a, b] = [one.interval, other.interval];
  if (one.value === null || other.value === null || a === null || b === null)
    return 'Too few events have settled to say whether they differ by more than chance.';
  const points = (one.value - other.value) * 100;
  const half = Math.hypot(a[1] - a[0], b[1] - b[0]) * 50;
  const said = `The yield of ${one.name} less that of ${other.name} is ${fixed(points, 1)} points, 95 % interval ${fixed(points - half, 1)} to ${fixed(points + half, 1)}`;
  if (Math.min(one.bets, other.bets) < FEW_BETS) return `${said}: fewer than ${FEW_BETS} bets prove nothing.`;
  return Math.abs(points) > half ? `${said}: more than chance explains.` : `${said}: chance explains it.`;
}

const WIDEST_YIELD = 1;

/** Yields with their intervals, on one scale; those of few bets are grey. */
export function YieldTable({ name, rows }: { readonly name: string; readonly rows: readonly YieldRow[] }) {
  const reach = rows.flatMap(({ interval, value }) => [...(interval ?? []), value ?? 0].map(Math.abs));
  const most = Math.min(WIDEST_YIELD, Math.max(0.05, ...reach));
  const extent = { low: -most, high: most };
  return (
    <WideTable
      name={`Yield by ${name}`}
      dim={(at) => (rows[at]?.bets ?? 0) < FEW_BETS}
      table={{
        figures: true,
        columns: [
          name,
          'Bets',
          'Yield',
          '95 % interval',
          `−${percent(most, 0)} to +${percent(most, 0)}`,
          'Profit, USDC',
        ],
        rows: rows.map(({ name: key, bets, profit, value, interval }) => [
          key,
          fixed(bets, 0),
          value === null ? '–' : signedPercent(value),
          interval === null ? '–' : `${signedPercent(interval[0])} to ${signedPercent(interval[1])}`,
          value === null ? '' : <IntervalBar value={value} interval={interval} extent={extent} />,
          profit === null ? '–' : fixed(profit, 2),
        ]),
      }}
    />
  );
}

/** A part of a whole as a bar. */
export function PartBar({ part }: { part: number }) {
  return (
    <svg class="interval" viewBox="0 0 200 16" width="200" height="16" aria-hidden="true">
      <rect class="bar" x="0" y="3" width={Math.max(1, Math.round(part * 200))} height="10" />
    </svg>
  );
}
