import { cutTo } from './plain-text.js';

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
