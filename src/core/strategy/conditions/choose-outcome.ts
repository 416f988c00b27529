import { type BookView, seenFrom } from '../../market/book.js';
import type { Market, OutcomeRole, OutcomeSide } from '../../market/market.js';
import { ONE } from '../../money.js';
import type { OutcomeChoice } from '../rules/rules.js';
import type { BetInputs, SetMember } from './bet-inputs.js';

/** Whether an outcome is the one that rules choose; `missing` names the input without which that is not known. */
export type Chosen =
  | { readonly passed: boolean; readonly value: string | null; readonly reason?: string }
  | { readonly missing: string };

const BOTH: readonly OutcomeSide[] = ['YES', 'NO'];
const FIRST: readonly OutcomeSide[] = ['YES'];
const OPPOSITE: Readonly<Record<OutcomeRole, OutcomeRole | null>> = { home: 'away', away: 'home', draw: null };

/**
 * The outcomes of a market that rules could choose, to be judged one by one. Of a market of an exclusive set that is its first
 * alone: its second stands for all other results of the game, and is bought by LAY.
 */
export const outcomesToJudge = (choice: OutcomeChoice | null, market: Market): readonly OutcomeSide[] =>
  choice === null ? [] : BOTH.filter((outcome) => isPossible(choice, market, outcome));

function isPossible(choice: OutcomeChoice, market: Market, outcome: OutcomeSide): boolean {
  if (choice === 'each' || 'favouriteRank' in choice) return resultsOf(market).includes(outcome);
  const chosen = byMetadata(choice, market, outcome);
  return 'missing' in chosen ? outcome === 'YES' : chosen.passed;
}

/** The outcomes of a market that are results of the game. */
const resultsOf = ({ exclusiveSet }: Market): readonly OutcomeSide[] => (exclusiveSet === null ? BOTH : FIRST);

/**
 * Whether the rules choose the outcome that is judged. A label has to be exactly one of the market's, in any case of letters. A
 * role is what the market's first outcome stands for; the second is the other team in a moneyline of two outcomes without a set, and
 * nothing else. Ranks go by mid price over all results of the game, highest first; equal mids have no rank.
 */
export function chosenOutcome(
  choice: OutcomeChoice,
  { market, outcome, book, others }: Pick<BetInputs, 'market' | 'outcome' | 'book' | 'others'>,
): Chosen {
  if (choice === 'each') return { passed: resultsOf(market).includes(outcome), value: outcome };
  if (!('favouriteRank' in choice)) return byMetadata(choice, market, outcome);
  if (!resultsOf(market).includes(outcome)) return { passed: false, value: null };
  const mids = market.exclusiveSet === null ? midsOfBoth(book) : midsOfSet(book, others);
  if (mids === null) return { missing: 'books' };
  const own = market.exclusiveSet === null && outcome === 'NO' ? mids[1] : mids[0];
  if (own === undefined) return { missing: 'books' };
  const rank = 1 + mids.filter((mid) => mid > own).length;
  const isTied = mids.filter((mid) => mid === own).length > 1;
  const passed = !isTied && rank === choice.favouriteRank;
  return { passed, value: `${rank}`, ...(isTied && { reason: 'another outcome has the same mid price' }) };
}

type ByMetadata = Exclude<OutcomeChoice, 'each' | { readonly favouriteRank: number }>;

function byMetadata(choice: ByMetadata, market: Market, outcome: OutcomeSide): Chosen {
  if ('label' in choice) return byLabel(choice.label, market, outcome);
  if ('index' in choice) return { passed: outcome === BOTH[choice.index], value: outcome === 'YES' ? '0' : '1' };
  if (market.role === null) return { missing: 'role' };
  const role = outcome === 'YES' ? market.role : roleOfSecond(market, market.role);
  return { passed: role === choice.role, value: role };
}

function roleOfSecond({ exclusiveSet, kind }: Market, role: OutcomeRole): OutcomeRole | null {
  return exclusiveSet === null && kind === 'moneyline' ? OPPOSITE[role] : null;
}

function byLabel(label: string, { outcomes }: Market, outcome: OutcomeSide): Chosen {
  if (outcomes === null) return { missing: 'outcomes' };
  const labels = outcomes.map((one) => one.label);
  const isWanted = (text: string) => text.toLowerCase() === label.toLowerCase();
  const value = labels[outcome === 'YES' ? 0 : 1] ?? '';
  const isOne = labels.filter(isWanted).length === 1;
  return { passed: isOne && isWanted(value), value };
}

/** Twice the mid price of the first outcome; null without both sides. */
function midOf(book: BookView | null): bigint | null {
  const [bid, ask] = [book?.bids[0], book?.asks[0]];
  return bid === undefined || ask === undefined ? null : bid.price + ask.price;
}

function midsOfBoth(book: BookView | null): readonly bigint[] | null {
  const mid = midOf(book);
  return mid === null ? null : [mid, 2n * ONE - mid];
}

/** Of the judged market first. A set without its other markets is not known. */
function midsOfSet(book: BookView | null, others: readonly SetMember[]): readonly bigint[] | null {
  const mids = [midOf(book), ...others.map(({ book: other }) => (other?.fresh === true ? midOf(other) : null))];
  const known = mids.filter((mid) => mid !== null);
  return others.length > 0 && known.length === mids.length ? known : null;
}

/** Twice the mid price of this outcome; null without both sides. */
export const midFor = (outcome: OutcomeSide, book: BookView | null): bigint | null =>
  midOf(book === null ? null : seenFrom(outcome, book));
