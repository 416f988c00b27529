import type { MarketId } from '../../../../src/core/ids.js';
import type { BookView } from '../../../../src/core/market/book.js';
import type { FeeSchedule } from '../../../../src/core/market/fee.js';
import type { Market, MarketTerms } from '../../../../src/core/market/market.js';
import { ONE } from '../../../../src/core/money.js';
import type { Probability } from '../../../../src/core/signal/signal.js';
import type { BetInputs, BetsMade, Estimate, SetMember } from '../../../../src/core/strategy/conditions/candidate.js';
import type { BetDecision } from '../../../../src/core/strategy/decide/decide.js';
import { decideBet } from '../../../../src/core/strategy/decide/decide.js';
import { completeRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { type TradingRules, tradingRules } from '../../../../src/core/strategy/rules/trading-rules.js';
import { aStrategy, NOON, shares, usdc } from '../../../support/builders.js';
import { aMarket, FREE, levels } from '../../../support/scripted-market.js';

export const NOW = new Date(NOON);
export const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);
export const HOUR = 3_600_000;

/** A game that starts in an hour, in no set: Bucks at home to Thunder. */
export function aGame(terms: Partial<MarketTerms> = {}, changes: Partial<Market> = {}): Market {
  const event = { id: '77', slug: 'nba-mil-okc', title: 'Bucks vs. Thunder' };
  const game = {
    sport: 'Basketball',
    league: 'NBA',
    kind: 'moneyline',
    role: 'home',
    event,
    startsAt: inMs(HOUR),
  } as const;
  return aMarket(terms, { ...game, ...changes });
}

export const aBook = (bids: string, asks: string, changes: Partial<BookView> = {}): BookView => ({
  bids: levels(bids),
  asks: levels(asks),
  at: NOW,
  fresh: true,
  ...changes,
});

/** Rules that bet 10 USDC on the first outcome, unless they say otherwise; a strategy that does not trade by itself has no default bounds. */
export function rulesOf(draft: Partial<RulesDraft> = {}): TradingRules {
  const { match = {}, filter = {}, sizing = { method: 'flat', value: usdc('10') }, ...others } = draft;
  const full: RulesDraft = { outcome: { index: 0 }, match, filter, sizing, ...others };
  const rules = completeRules(full, 'basketball');
  return tradingRules({ rules, automation: 'off', bankrollCap: usdc('1000') });
}

export const NO_BETS: BetsMade = {
  onOutcome: 0,
  onMarket: 0,
  onEvent: 0,
  today: 0,
  open: 0,
  lastAt: null,
  rearmed: true,
};

/** What a model says of a game: how probable its first outcome is. By default it holds for another hour. */
export const likely = (probability: bigint, expiresAt = inMs(HOUR)): Estimate => ({
  first: { label: 'Bucks', probability: probability as Probability },
  second: { label: 'Thunder', probability: (ONE - probability) as Probability },
  expiresAt,
});

export type InputChanges = Partial<Omit<BetInputs, 'rules'>> & { readonly rules?: Partial<RulesDraft> };

/** By default a bankroll of 1000 USDC, a stake cap of 500, and a book of 0.48 to 0.50 and 0.52. */
export function betInputs({ rules = {}, ...changes }: InputChanges = {}): BetInputs {
  const strategy = aStrategy({ bankrollCap: usdc('1000'), stakeCap: usdc('500') });
  return {
    strategy,
    rules: rulesOf(rules),
    market: aGame(),
    outcome: 'YES',
    others: [],
    estimate: null,
    book: aBook('0.48x100 0.47x500', '0.50x100 0.52x500'),
    held: shares('0'),
    committed: usdc('0'),
    freeCash: usdc('1000'),
    limitsLeft: [],
    venueMaximum: null,
    bets: NO_BETS,
    benched: false,
    firstPrice: null,
    now: NOW,
    ...changes,
  };
}

export const decided = (changes: InputChanges = {}): BetDecision => decideBet(betInputs(changes));

/** A market of a set of three, with the fee and the book of its first outcome. */
export function memberOf(
  role: 'home' | 'draw' | 'away',
  book: BookView | null,
  probability: bigint | null,
  fee: FeeSchedule = FREE,
): SetMember {
  const market = aGame({ fee }, { id: role as string as MarketId, role, exclusiveSet: 'the-game' });
  return { market, book, estimate: probability === null ? null : likely(probability) };
}

/** The inputs for each market of a set in turn. */
export function inputsOfSet(members: readonly SetMember[], changes: InputChanges = {}): readonly BetInputs[] {
  return members.map((member) =>
    betInputs({ ...changes, ...member, others: members.filter((other) => other !== member) }),
  );
}

/** The market as a venue has it that counts every order in shares. */
export function sharesBind(market: Market): Market {
  if (market.terms === null) return market;
  const { quoteStep: _, ...terms } = market.terms;
  return { ...market, terms };
}
