import type { AccountId, MarketId } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { Market } from '../core/market/market.js';
import type { Signal, SignalKey, SignalName } from '../core/signal/signal.js';

/** Asks what a model says of a market. */
export interface SignalQuestion extends SignalKey {
  readonly market: Market;
}

/** Says how probable the outcomes of a market are: the store of signals, or a model that computes when it is asked. */
export interface SignalSource {
  /** What the model of this name says, expired or not; undefined where it says nothing. */
  find(question: SignalQuestion): Promise<Signal | undefined>;
}

/** Which signals of an account to list; an absent member does not restrict. */
export interface SignalFilter {
  readonly name?: SignalName;
  readonly marketId?: MarketId;
}

/** Keeps the last signal of each key. Signals are no events of the log. */
export interface SignalStore extends SignalSource {
  find(key: SignalKey): Promise<Signal | undefined>;
  /** Stores all of them or none, each in place of the one before. No key is there twice. @throws StorageUnavailable */
  put(signals: readonly Signal[]): Promise<void>;
  /** By name, then venue, then market; expired ones too, until they are forgotten. @throws StorageUnavailable */
  list(account: AccountId, filter: SignalFilter, page: Page<SignalKey>): Promise<readonly Signal[]>;
  /** Returns what was removed; undefined where there was nothing. @throws StorageUnavailable */
  remove(key: SignalKey): Promise<Signal | undefined>;
  /** How many an account has, expired ones too. @throws StorageUnavailable */
  count(account: AccountId): Promise<number>;
  /** Deletes those that have expired by then, of one account or of all, and returns how many. @throws StorageUnavailable */
  forgetExpired(now: Date, account?: AccountId): Promise<number>;
}
