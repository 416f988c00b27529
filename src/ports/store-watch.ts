import type { DecisionNews } from '../core/ledger/decision-news.js';

/** What went wrong at a database, as `StoreWatch` is told. */
export type DatabaseErrorKind = 'conflict' | 'refused' | 'unavailable' | 'broken';

/** Is told what a store does, for metrics and the log. Nothing waits for it, and no method may throw. */
export interface StoreWatch {
  /** What a write decided is durable. */
  stored(news: DecisionNews): void;
  /** A write has ended: something may be on record that was not before. */
  written(): void;
  /** So many writes were committed together, in so many milliseconds; only a database has such groups. */
  committed(writes: number, ms: number): void;
  /** A statement or a group of writes failed. After a `conflict` it is repeated. */
  failed(kind: DatabaseErrorKind): void;
}
