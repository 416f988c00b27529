import { afterEach, beforeEach } from 'vitest';
import type { WholeStore } from '../../src/ports/ledger.js';

/** What is tested of a store: all of it. */
export type TestedLedger = WholeStore;

/** A store under test: one handle on it, empty, and how to close it. */
export interface OpenedLedger {
  readonly ledger: TestedLedger;
  close(): Promise<void>;
}

/** Two handles on one empty store, as two processes would hold them. */
export interface OpenedTwice {
  readonly ledgers: readonly [TestedLedger, TestedLedger];
  close(): Promise<void>;
}

export type OpenLedger = () => Promise<OpenedLedger>;

/** Opens a fresh store before each test of the surrounding suite, and closes it after; gives access to the current one. */
export function openedForEach<T extends { close(): Promise<void> }>(open: () => Promise<T>): () => T {
  let opened: T | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error('a store is open inside of tests only');
    return opened;
  };
}
