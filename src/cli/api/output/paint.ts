import { styleText } from 'node:util';

/** How a cell may look. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Puts a style on a text, or not. */
export type Paint = (style: Style | null, text: string) => string;

const plain: Paint = (_, text) => text;
const painted: Paint = (style, text) => (style === null ? text : styleText(style, text, { validateStream: false }));

/** For this output: NO_COLOR turns colours off, FORCE_COLOR on; otherwise a terminal has them and a pipe does not. */
export function paintFor(stream: { readonly isTTY?: boolean | undefined }): Paint {
  return isColoured(stream) ? painted : plain;
}

function isColoured({ isTTY }: { readonly isTTY?: boolean | undefined }): boolean {
  const { NO_COLOR: off = '', FORCE_COLOR: forced, TERM: terminal } = process.env;
  if (off !== '') return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY === true && terminal !== 'dumb';
}

const STATUS: Readonly<Record<string, Style>> = {
  filled: 'green',
  settled: 'green',
  bet: 'green',
  sale: 'green',
  approved: 'green',
  active: 'green',
  denied: 'red',
  rejected: 'red',
  failed: 'red',
  refused: 'red',
  halted: 'red',
  LIVE: 'red',
  'PLAY MONEY': 'yellow',
  unknown: 'yellow',
  pending: 'yellow',
  delayed: 'yellow',
  waiting: 'yellow',
  reducing: 'yellow',
  cancelled: 'dim',
  expired: 'dim',
  skip: 'dim',
  PAPER: 'dim',
};

/** The style of a status; null for one that is nothing special. */
export const styleOf = (word: string): Style | null => STATUS[word] ?? null;
