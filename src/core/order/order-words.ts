import type { OutcomeSide } from '../market/market.js';
import { formatMicro } from '../money.js';
import type { Intent } from './order.js';

/** What identifies a market and one of its outcomes to a person. */
interface NamedOutcome {
  readonly outcome: OutcomeSide;
  readonly outcomeLabel: string | null;
  readonly question?: string | null;
  readonly marketSlug?: string | null;
  readonly marketId: string;
}

const BARE = new Set(['yes', 'no']);

/** `Arsenal YES`, or where the outcomes are only yes and no, the question and which of them. */
export function outcomeWords({ outcome, outcomeLabel, question = null, marketSlug = null, marketId }: NamedOutcome) {
  const isName = outcomeLabel !== null && !BARE.has(outcomeLabel.toLowerCase());
  return `${plainText(isName ? outcomeLabel : (question ?? marketSlug ?? marketId))} ${outcome}`;
}

/** The market in parentheses, where the name of the outcome alone does not identify it; else empty. */
function marketWords({ outcomeLabel, question }: Pick<Intent, 'outcomeLabel' | 'question'>): string {
  if (outcomeLabel === null || question === null || BARE.has(outcomeLabel.toLowerCase())) return '';
  return question === outcomeLabel ? '' : ` (${plainText(question)})`;
}

/** What a decision is about: ` Over YES (Lakers against Celtics: Total above 212.5)`, with the game and the market where they are known. */
export function decidedWords(decision: DecidedOutcome): string {
  const { marketId, token: outcome, outcomeLabel, question, event } = decision;
  const name = outcomeWords({ marketId, outcome, outcomeLabel, question });
  const places = [event, question].filter((place) => place !== null && !name.startsWith(plainText(place)));
  const distinct = [...new Set(places)].map((place) => plainText(place ?? ''));
  return distinct.length === 0 ? name : `${name} (${distinct.join(': ')})`;
}

/** What a decision is about, as far as its words go. */
interface DecidedOutcome {
  readonly marketId: string;
  readonly token: OutcomeSide;
  readonly outcomeLabel: string | null;
  readonly question: string | null;
  readonly event: string | null;
}

/** `BUY 35.08 Arsenal YES at 0.57`, as it was ordered. */
export const orderName = (intent: Intent): string =>
  `${intent.side} ${formatMicro(intent.shares)} ${outcomeWords(intent)} at ${formatMicro(intent.price)}`;

/** Which money, whose strategy, and which market: `, paper, Home favourites v3`. */
export function orderTail(intent: Intent, strategy: string | null): string {
  const by = strategy === null ? '' : `, ${plainText(strategy)}`;
  return `, ${moneyWords(intent.paper)}${by}${marketWords(intent)}`;
}

/** Which money moves. */
export const moneyWords = (paper: boolean): string => (paper ? 'paper' : 'real money');

/** The longest name or reason in a message, in UTF-16 units. */
const LONGEST = 200;
const FIRST_HALF = [0xd800, 0xdbff] as const;

/** What others wrote, as a part of one line: without line breaks and invisible characters, and not too long. */
export function plainText(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  return line.length <= LONGEST ? line : `${cutTo(line, LONGEST - 1)}…`;
}

/** The text up to this length, in UTF-16 units, without half a character at its end. */
export function cutTo(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const splits = most < text.length && last >= FIRST_HALF[0] && last <= FIRST_HALF[1];
  return text.slice(0, splits ? most - 1 : most);
}
