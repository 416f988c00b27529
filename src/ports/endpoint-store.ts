import type { EventDelivery, Progress } from '../core/endpoint/delivery.js';
import type { Endpoint, EndpointKey } from '../core/endpoint/endpoint.js';
import type { AccountId, EndpointId } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';

/** Reads endpoints, which `Ledger.write` stores; removed ones are not there. */
export interface EndpointStore {
  /** Written by itself, not by `Ledger.write`. */
  readonly deliveries: DeliveryStore;
  find(account: AccountId, id: EndpointId): Promise<Endpoint | undefined>;
  /** All of the account, oldest first. */
  list(account: AccountId): Promise<readonly Endpoint[]>;
  /** Endpoints of all accounts that are sent events, by account and id. */
  listActive(page: Page<EndpointKey>): Promise<readonly Endpoint[]>;
}

/** What one round with an endpoint leaves, all of it about that endpoint. */
export interface DeliveryChanges {
  /** Stored unless its epoch is over; within an epoch, `passed` only grows. */
  readonly progress?: Progress;
  /** Deliveries to store; each replaces the one with its number. */
  readonly put?: readonly EventDelivery[];
  readonly remove?: readonly EventDelivery[];
}

/** Keeps how far endpoints have come. Nothing of it is in the log, or in the way of a write of the ledger. */
export interface DeliveryStore {
  /** The progress of each endpoint of an account that was ever sent anything. @throws StorageUnavailable */
  progress(account: AccountId): Promise<readonly Progress[]>;
  /** Those that are tried again, or wait for others, by their numbers; at most `limit`. @throws StorageUnavailable */
  waiting(endpoint: EndpointKey, limit: number): Promise<readonly EventDelivery[]>;
  /** Newest first, with those that were given up; `page.after` is a number. @throws StorageUnavailable */
  list(endpoint: EndpointKey, page: Page<number>): Promise<readonly EventDelivery[]>;
  /** What failed is stored before the progress moves past it, whatever happens between. @throws StorageUnavailable */
  store(changes: DeliveryChanges): Promise<void>;
  /** Forgets all about an endpoint. @throws StorageUnavailable */
  forget(endpoint: EndpointKey): Promise<void>;
  /** Forgets what was given up and last tried before a moment, of all accounts; returns how many. @throws StorageUnavailable */
  forgetGivenUp(before: Date): Promise<number>;
}
