/** A point of a plot, before it is drawn. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}

/** The bounds of what is drawn. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** The lowest and the highest of numbers; 0 and 0 of none. */
export function extentOf(values: Iterable<number>): Extent {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}

const MOST_KEPT = 2000;

/**
 * Leaves out points that a plot of so many columns cannot show: of each column its first, its last, its lowest and its highest point stay,
 * in their order, and those that `isKept` names while they are at most 2,000. Points are in order of x.
 */
export function thinned(
  points: readonly PlotPoint[],
  columns: number,
  isKept: (index: number) => boolean = () => false,
): readonly PlotPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length <= 4 * columns) return points;
  const isNamed = namedCount(points.length, isKept) <= MOST_KEPT ? isKept : () => false;
  const span = last.x - first.x;
  const columnOf = ({ x }: PlotPoint) =>
    span === 0 ? 0 : Math.min(columns - 1, Math.floor(((x - first.x) / span) * columns));
  const kept: PlotPoint[] = [];
  let column = null as Column | null;
  for (const [at, point] of points.entries()) {
    const number = columnOf(point);
    if (column?.number !== number) {
      kept.push(...pointsOf(column, points));
      column = { number, first: at, low: at, high: at, last: at, named: [] };
    }
    column.last = at;
    if (point.y < (points[column.low]?.y ?? 0)) column.low = at;
    if (point.y > (points[column.high]?.y ?? 0)) column.high = at;
    if (isNamed(at)) column.named.push(at);
  }
  return [...kept, ...pointsOf(column, points)];
}

/** The places of the points of one column that stay. */
interface Column {
  readonly number: number;
  readonly first: number;
  low: number;
  high: number;
  last: number;
  readonly named: number[];
}

function pointsOf(column: Column | null, points: readonly PlotPoint[]): readonly PlotPoint[] {
  if (column === null) return [];
  const { first, low, high, last, named } = column;
  const places = [...new Set([first, low, high, last, ...named])].sort((a, b) => a - b);
  return places.map((at) => points[at] as PlotPoint);
}

function namedCount(length: number, isKept: (index: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < length; at += 1) if (isKept(at)) count += 1;
  return count;
}

/** About so many rows of many, evenly apart: the first, the last, and those with the lowest and the highest value are among them. */
export function someRows<Row>(rows: readonly Row[], most: number, amountOf: (row: Row) => number): readonly Row[] {
  if (rows.length <= most) return rows;
  let [low, high] = [0, 0];
  for (let at = 0; at < rows.length; at += 1) {
    const value = amountOf(rows[at] as Row);
    if (value < amountOf(rows[low] as Row)) low = at;
    if (value > amountOf(rows[high] as Row)) high = at;
  }
  const evenly = Array.from({ length: most }, (_, at) => Math.round((at * (rows.length - 1)) / (most - 1)));
  return [...new Set([...evenly, low, high])].sort((a, b) => a - b).map((at) => rows[at] as Row);
}

/** Round numbers within an extent, about so many: steps of 1, 2 or 5 times a power of ten. */
export function roundTicks({ low, high }: Extent, about: number): readonly number[] {
  const raw = (high - low) / about;
  if (!(raw > 0)) return [low];
  let step = 1;
  while (step > raw) step /= 10;
  while (step * 10 <= raw) step *= 10;
  const factor = [2, 5, 10].find((one) => step * one >= raw) ?? 10;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / (step * factor)); at * step * factor <= high; at += 1) ticks.push(at * step * factor);
  return ticks;
}

const SECOND_MS = 1000;
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60 * SECOND_MS, 3600 * SECOND_MS, 86_400 * SECOND_MS];

/** How far apart round times may be. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((count) => count * DAY_MS),
];

/** Round times of UTC within an extent of milliseconds, at most so many. */
export function roundTimes({ low, high }: Extent, most: number): readonly number[] {
  const step = TIME_STEPS.find((one) => (high - low) / one < most) ?? (high - low) / most;
  const times: number[] = [];
  for (let time = Math.ceil(low / step) * step; time <= high; time += step) times.push(time);
  return times;
}
