import { dollarText } from './amounts.js';

/** One line of a plot, in millionths, with a value for each moment. */
export interface Line {
  readonly name: string;
  readonly values: readonly bigint[];
  /** A dashed line can be distinguished from others without colour. */
  readonly dashed?: boolean;
}

/** A plot within a square of 1000 by 1000. */
export interface DrawnPlot {
  /** An SVG path for each line. */
  readonly paths: readonly string[];
  /** What the top, the middle and the bottom stand for. */
  readonly values: readonly string[];
  /** The first moment, one in the middle and the last. */
  readonly times: readonly string[];
}

const SIDE = 1000n;
const PENNY = 10_000n;
const SHORT_MS = 600_000;

/** Draws lines over moments, in milliseconds. Each value holds until the next moment, as equity does. */
export function plotOf(moments: readonly number[], lines: readonly Line[]): DrawnPlot {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = boundsOf(all);
  const [first = 0, last = 0] = [moments[0], moments.at(-1)];
  const across = (moment: number) => (last === first ? 0 : Math.round(((moment - first) * 1000) / (last - first)));
  const down = (value: bigint) => SIDE - ((value - low) * SIDE) / (high - low);
  const pathOf = ({ values }: Line) =>
    values
      .map((value, at) => {
        const x = across(moments[at] ?? last);
        return at === 0 ? `M${x} ${down(value)}` : `H${x}V${down(value)}`;
      })
      .join('');
  return {
    paths: lines.map(pathOf),
    values: [high, (high + low) / 2n, low].map(dollarText),
    times: [first, (first + last) / 2, last].map((moment) => timeText(moment, last - first)),
  };
}

/** The time with seconds for a short span, the date with minutes for a longer one. */
function timeText(moment: number, spanMs: number): string {
  const text = new Date(moment).toISOString();
  return spanMs < SHORT_MS ? text.slice(11, 19) : text.slice(5, 16).replace('T', ' ');
}

/** Some room above and below, so that a line that never moves is in the middle. */
function boundsOf(values: readonly bigint[]): readonly [low: bigint, high: bigint] {
  const [first = 0n] = values;
  const low = values.reduce((least, one) => (one < least ? one : least), first);
  const high = values.reduce((most, one) => (one > most ? one : most), first);
  const room = (high - low) / 10n + PENNY;
  return [low - room, high + room];
}
