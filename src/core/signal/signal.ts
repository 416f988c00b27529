import type { AccountId, Id, MarketId, VenueName } from '../ids.js';
import { type Micro, ONE } from '../money.js';

/** Names a model among those of its account: 1 to 64 of letters, digits and `_ . -`. */
export type SignalName = Id<'signal'>;

/** How probable an outcome is, in millionths; strictly between 0 and 1. */
export type Probability = Micro<'probability'>;

/** 1 to 64 letters, digits and `_ . -`. */
export const SIGNAL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** What a name is, in words that follow “must be”. */
export const SIGNAL_NAME_WORDS = '1 to 64 letters, digits and _ . -';

/** The text as a name; undefined where it cannot be one. */
export const signalNamed = (text: string): SignalName | undefined =>
  SIGNAL_NAME.test(text) ? (text as SignalName) : undefined;

/** True of a probability that a signal may give. */
export const isProbability = (micro: bigint): micro is Probability => micro > 0n && micro < ONE;

/** The most signals that one request puts. */
export const SIGNALS_AT_ONCE = 100;

/** A signal expires at most 30 days after it was put: no model knows more of a game by then than its market does. */
export const LONGEST_SIGNAL_MS = 2_592_000_000;

/** Names one signal: a model says one thing of a market. Lists are in this order. */
export interface SignalKey {
  readonly account: AccountId;
  readonly name: SignalName;
  readonly venue: VenueName;
  /** The venue's own id of the market. */
  readonly marketId: MarketId;
}

/** How probable a model holds one outcome. */
export interface OutcomeProbability {
  /** As the market spells it. */
  readonly label: string;
  readonly probability: Probability;
}

/** What a model of the account says of one market, until it expires. */
export interface Signal extends SignalKey {
  /** The probability of the market's first outcome. */
  readonly first: OutcomeProbability;
  /** The probability of its second outcome. */
  readonly second: OutcomeProbability;
  /** From then on it is never used. */
  readonly expiresAt: Date;
  /** Where it comes from, in the model's own words, such as the version of the model. */
  readonly source: string | null;
  readonly updatedAt: Date;
}

/** What a model says, as a client sends it. */
export interface SignalDraft {
  /** The default venue for null. */
  readonly venue: VenueName | null;
  /** The venue's id, or another name that it has for the market. */
  readonly marketId: MarketId;
  /** By the label of an outcome; of two outcomes, one that is missing is the complement of the other. */
  readonly probabilities: ReadonlyMap<string, Probability>;
  readonly expiresAt: Date;
  readonly source: string | null;
}

/** The key as one text: no part of it has a slash, except the account, which comes last. */
export const signalKeyText = ({ account, name, venue, marketId }: SignalKey): string =>
  `${name}/${venue}/${marketId}/${account}`;

/** Receives signals that were put. */
export type OnSignals = (signals: readonly Signal[]) => void;

/** Notifies listeners that signals were put: by this process at once, by others once they are noticed. */
export class SignalNews {
  readonly #listeners = new Set<OnSignals>();

  /** Calls the listener until the function returned is called. */
  on(listener: OnSignals): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(signals: readonly Signal[]): void {
    for (const listener of [...this.#listeners]) listener(signals);
  }
}
