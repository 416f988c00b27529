import type { Slice } from '../core/ledger/query.js';
import type { Market } from '../core/market/market.js';
import {
  isProbability,
  type Probability,
  SIGNAL_NAME_WORDS,
  SIGNALS_AT_ONCE,
  type Signal,
  type SignalDraft,
  type SignalKey,
  type SignalName,
  signalNamed,
} from '../core/signal/signal.js';
import { completed } from '../core/signal/signal-check.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { SignalFilter, SignalQuestion, SignalSource } from '../ports/signals.js';
import {
  accountId,
  type Decimal,
  marketId,
  micro,
  onlyMembers,
  type PageRequest,
  pageOf,
  refuse,
  shownBriefly,
  venueName,
} from './input.js';

/** What a model says of a market. */
export interface SaidOfMarket {
  /** By the label of an outcome, in any case: above 0 and below 1. Of two outcomes, one that is missing is the complement. */
  readonly probabilities: Readonly<Record<string, Decimal>>;
  /** From then on it is never used; at most 30 days ahead where it is put. */
  readonly expiresAt: Date;
  /** Where it comes from, in your own words. */
  readonly source?: string | null;
}

/** One signal of a list. */
export interface MarketSignal extends SaidOfMarket {
  readonly market: string;
  /** The default venue when absent. */
  readonly venue?: string;
}

/** What a model of an account says of one market. */
export interface SignalRequest extends MarketSignal {
  readonly account: string;
  /** The name of the model: 1 to 64 of letters, digits and `_ . -`. */
  readonly name: string;
}

/** A model that computes when it is asked; undefined where it says nothing. */
export type SignalModel = (asked: {
  readonly account: string;
  readonly name: string;
  readonly market: Market;
}) => Promise<SaidOfMarket | undefined>;

/** Signals: what models of your own say of markets, until it expires. */
export interface Signals {
  /**
   * Replaces the signal that the model put for the market before.
   *
   * @throws InputInvalid, SignalsInvalid, TooManySignals, MarketDataUnavailable
   *
   * @example
   * ```ts
   * await stakeport.signals.put({
   *   account: 'me', name: 'elo-2', market: 'epl-ars-che-2026-12-05',
   *   probabilities: { Arsenal: 0.57 }, expiresAt: new Date('2026-12-05T15:00:00Z'),
   * });
   * ```
   */
  put(request: SignalRequest): Promise<Signal>;
  /** Stores signals of 1 to 100 markets: all of them, or none. @throws as `put` */
  putAll(account: string, name: string, signals: readonly MarketSignal[]): Promise<readonly Signal[]>;
  /** What was put; a model that computes when it is asked is not asked. @throws SignalNotFound */
  get(account: string, name: string, market: string, venue?: string): Promise<Signal>;
  /** By name, then venue, then market; expired ones too, until they are removed. */
  list(account: string, request?: SignalListRequest): Promise<Slice<Signal, SignalKey>>;
  /** Nothing is decided with it any more. @throws SignalNotFound */
  remove(account: string, name: string, market: string, venue?: string): Promise<Signal>;
}

/** Which signals to list. */
export interface SignalListRequest extends PageRequest<SignalKey> {
  readonly name?: string;
  readonly market?: string;
}

const SAID = ['probabilities', 'expiresAt', 'source'];
const SHARE = [isProbability, 'above 0 and below 1'] as const;
const MOST_LETTERS = 200;
const CONTROL = /\p{Cc}/u;

/** The methods that act upon signals. */
export function signalsOf({ signals }: UseCases): Signals {
  const putAll = async (account: string, name: string, list: readonly MarketSignal[]) => {
    const owner = { account: accountId(account), name: modelName(name) };
    if (list.length < 1 || list.length > SIGNALS_AT_ONCE)
      throw refuse('signals', `must be 1 to ${SIGNALS_AT_ONCE}; got ${list.length}`);
    return signals.put.execute({ ...owner, drafts: list.map(draftOf) });
  };
  const owned = (account: string, name: string) => ({ account: accountId(account), name: modelName(name) });
  const venueOf = (venue: string | undefined) => (venue === undefined ? null : venueName(venue));
  return {
    putAll,
    async put({ account, name, ...said }) {
      const [signal] = await putAll(account, name, [said]);
      return signal as Signal;
    },
    get: async (account, name, market, venue) =>
      signals.read.one(owned(account, name), venueOf(venue), marketId(market)),
    async list(account, request = {}) {
      const page = pageOf(request, ['name', 'market']);
      const { name, market } = request;
      const filter: SignalFilter = {
        ...(name !== undefined && { name: modelName(name) }),
        ...(market !== undefined && { marketId: marketId(market) }),
      };
      return signals.read.many(accountId(account), filter, page);
    },
    remove: async (account, name, market, venue) =>
      signals.remove.execute(owned(account, name), venueOf(venue), marketId(market)),
  };
}

/** Asks the model first, and the store where it says nothing. */
export function modelFirst(model: SignalModel, stored: SignalSource, now: () => Date): SignalSource {
  return {
    async find(question) {
      const { account, name, market } = question;
      const said = await model({ account, name, market });
      return said === undefined ? stored.find(question) : signalFrom(said, question, now());
    },
  };
}

/** What the model said, as a signal. @throws InputInvalid */
function signalFrom(said: SaidOfMarket, question: SignalQuestion, now: Date): Signal {
  onlyMembers(said, SAID);
  const { account, name, venue, marketId: id, market } = question;
  if (market.outcomes === null) throw refuse('market', 'has no outcomes to say anything of');
  const both = completed(sharesOf(said.probabilities), [market.outcomes[0].label, market.outcomes[1].label]);
  if (!('faults' in both)) return { account, name, venue, marketId: id, ...both, ...termsOf(said), updatedAt: now };
  const [fault] = both.faults;
  const label = fault?.label ?? null;
  throw refuse(label === null ? 'probabilities' : `probabilities.${label}`, fault?.words ?? 'are not valid');
}

function draftOf({ market, venue, ...said }: MarketSignal): SignalDraft {
  onlyMembers(said, SAID);
  const place = { venue: venue === undefined ? null : venueName(venue), marketId: marketId(market) };
  return { ...place, probabilities: sharesOf(said.probabilities), ...termsOf(said) };
}

function sharesOf(given: SaidOfMarket['probabilities']): ReadonlyMap<string, Probability> {
  if (typeof given !== 'object' || given === null) throw refuse('probabilities', 'must be an object');
  const shares = Object.entries(given).map(([label, value]) => {
    return [label, micro(`probabilities.${label}`, value, SHARE) as Probability] as const;
  });
  return new Map(shares);
}

function termsOf({ expiresAt, source = null }: SaidOfMarket): Pick<Signal, 'expiresAt' | 'source'> {
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime()))
    throw refuse('expiresAt', `must be a date; got ${shownBriefly(expiresAt)}`);
  const isText = typeof source === 'string' && source.trim() !== '' && source.isWellFormed() && !CONTROL.test(source);
  if (source !== null && !(isText && [...source].length <= MOST_LETTERS))
    throw refuse('source', `must be 1 to ${MOST_LETTERS} printable characters; got ${shownBriefly(source)}`);
  return { expiresAt, source };
}

function modelName(text: string): SignalName {
  const named = typeof text === 'string' ? signalNamed(text) : undefined;
  if (named !== undefined) return named;
  throw refuse('name', `must be ${SIGNAL_NAME_WORDS}; got ${shownBriefly(text)}`);
}
