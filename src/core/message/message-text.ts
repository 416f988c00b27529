import { formatMicro, ONE, type Price, type Rounding, type Shares } from '../money.js';
import { cutTo } from '../order/order-words.js';

const CENT = ONE / 100n;
/** An average price has four decimals. */
const AVERAGE_STEP = 100n;

/** Money that went out, to the cent: never less than it was. */
export const spentText = (amount: bigint): string => `${centsText(amount, 'ceil')} USDC`;

/** Money that came in, to the cent: never more than it was. */
export const gainedText = (amount: bigint): string => `${centsText(amount, 'floor')} USDC`;

/** A profit, or with a minus a loss, to the cent: never more than it was. */
export function profitText(amount: bigint): string {
  const text = gainedText(amount);
  return amount >= CENT ? `+${text}` : text;
}

function centsText(amount: bigint, rounding: Rounding): string {
  const rest = ((amount % CENT) + CENT) % CENT;
  const cents = (amount - rest) / CENT + (rounding === 'ceil' && rest > 0n ? 1n : 0n);
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${grouped(`${size / 100n}`)}.${`${size % 100n}`.padStart(2, '0')}`;
}

/** A number with a comma before every three digits. */
function grouped(digits: string): string {
  const first = digits.length % 3;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}

/** Shares that were traded at one price, or at several. */
export interface Traded {
  readonly shares: Shares;
  /** Prices times shares, summed exactly. */
  readonly worth: bigint;
  /** Null where there were several. */
  readonly price: Price | null;
}

/** `at 0.57`, or the average of several prices. */
export function priceWords({ shares, worth, price }: Traded): string {
  if (price !== null) return `at ${formatMicro(price)}`;
  const average = worth / shares;
  const rounded = ((average + AVERAGE_STEP / 2n) / AVERAGE_STEP) * AVERAGE_STEP;
  return `at ${formatMicro(rounded)} on average`;
}

/** How long a message may be, and how its length is measured. */
export interface TextLimit {
  readonly most: number;
  sizeOf(text: string): number;
}

/**
 * The lines as one text within the limit. Those that do not fit are counted, with `beyond` that never were among them:
 * `and 12 more`. A single line that is too long is cut.
 */
export function fitText(lines: readonly string[], beyond: number, { most, sizeOf }: TextLimit): string {
  const fits = (text: string) => sizeOf(text) <= most;
  const whole = withRest(lines, beyond);
  if (fits(whole)) return whole;
  const kept: string[] = [];
  const missing = lines.length - 1 + beyond;
  for (const line of lines) {
    const left = lines.length - kept.length - 1 + beyond;
    if (!fits(withRest([...kept, line], left))) break;
    kept.push(line);
  }
  if (kept.length > 0) return withRest(kept, lines.length - kept.length + beyond);
  return withRest([shortened(lines[0] ?? '', (text) => fits(withRest([text], missing)))], missing);
}

const withRest = (lines: readonly string[], rest: number): string =>
  [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');

/** The line as far as it fits. */
function shortened(line: string, fits: (text: string) => boolean): string {
  let text = line;
  while (text.length > 1 && !fits(`${text}…`)) text = cutTo(text, text.length - Math.max(1, text.length >> 5));
  return `${text}…`;
}
