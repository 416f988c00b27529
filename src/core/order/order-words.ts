import { withShortIds } from '../ids.js';
import { moneyAt, type OutcomeSide } from '../market/market.js';
import { formatMicro } from '../money.js';
import type { Intent } from './order.js';

/** What identifies a market to a person, as far as it is known. */
interface MarketTitles {
  /** The title of the event of the market. */
  readonly event: string | null;
  readonly question: string | null;
  readonly marketSlug?: string | null;
  readonly marketId: string;
}

/** The same, and one of its outcomes. */
interface NamedOutcome extends MarketTitles {
  readonly outcome: OutcomeSide;
  readonly outcomeLabel: string | null;
}

const BARE = new Set(['yes', 'no']);

/**
 * An outcome by its game and its name: `Arsenal – Chelsea: Arsenal`. The question of the market is part of it where the game
 * and the name do not say it all, and its slug or the end of its id where neither game nor question is known.
 */
export function outcomeWords(named: NamedOutcome): string {
  const { outcome, outcomeLabel } = named;
  const isName = outcomeLabel !== null && !BARE.has(outcomeLabel.toLowerCase());
  const place = marketWords(named, isName);
  const name = isName ? plainText(outcomeLabel) : (outcomeLabel ?? outcome).toUpperCase();
  return isName && !place.endsWith('?') ? `${place}: ${name}` : `${place} ${name}`;
}

/** A market by its game, and by what it asks where that is more than who wins or `isName` is false. */
export function marketWords({ question, marketSlug, marketId, ...named }: MarketTitles, isName = true): string {
  const event = named.event === null ? '' : plainText(named.event);
  const asked = question === null ? '' : askedWords(plainText(question), event, isName);
  const known = [event, asked].filter((place) => place !== '').join(': ');
  return known === '' ? plainText(marketSlug ?? withShortIds(marketId)) : known;
}

/** What a question says beside the game: nothing where it asks only who wins, and the name of the outcome answers that. */
function askedWords(question: string, event: string, isName: boolean): string {
  const said = new Set(wordsIn(event));
  if (isName && event !== '' && wordsIn(question).every((word) => said.has(word) || WHO_WINS.has(word))) return '';
  const rest = event !== '' && question.startsWith(event) ? question.slice(event.length).replace(LINK, '') : question;
  return rest === '' ? question : rest;
}

const LINK = /^[\s:,–—-]+/u;
const WHO_WINS = new Set(
  'who which team will wins win winner the of or v vs and against at game match moneyline'.split(' '),
);
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}.+-]*[\p{L}\p{N}]/gu) ?? [];

/** The outcome that an order is for. */
export const orderedWords = (intent: Intent): string =>
  outcomeWords({ ...intent, event: intent.decidedOn?.event?.title ?? null });

/** The outcome that a decision is about. */
export const decidedWords = (decision: DecidedOutcome): string =>
  outcomeWords({ ...decision, outcome: decision.token });

type DecidedOutcome = Omit<NamedOutcome, 'outcome'> & { readonly token: OutcomeSide };

/** `BUY 35.08 Arsenal – Chelsea: Arsenal at 0.57`, as it was ordered. */
export const orderName = (intent: Intent): string =>
  `${intent.side} ${formatMicro(intent.shares)} ${orderedWords(intent)} at ${formatMicro(intent.price)}`;

/** Which money, and whose strategy: `, paper, Home favourites v3`. */
export function orderTail(intent: Intent, strategy: string | null): string {
  const by = strategy === null ? '' : `, ${plainText(strategy)}`;
  return `, ${moneyAt(intent)}${by}`;
}

/** Which money moves, where no venue is named: an account has real money or play money, never both. */
export const liveWords = (paper: boolean): string => (paper ? 'paper' : 'live');

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
