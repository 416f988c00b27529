import type { EventData, LoggedEvent } from '../ledger/logged-event.js';

/** What an event is about, as it was right after the event. */
export type NewsData = EventData;

/** An event of the log, with what a person is told of it. */
export interface News extends Pick<LoggedEvent, 'seq' | 'type' | 'data'> {
  /** The strategy that it is about and its version, such as `Home favourites v3`; null where there is none. */
  readonly strategy: string | null;
}

/** The time of day that a person reads, such as `15:10`. */
export type TimeOfDay = (at: Date) => string;
