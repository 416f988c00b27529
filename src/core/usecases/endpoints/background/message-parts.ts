import type { MessageStore } from '../../../../ports/message-store.js';
import type { Messengers } from '../../../../ports/messenger.js';
import type { Clock, LocalTime } from '../../../../ports/system.js';
import type { ReadNews } from './read-news.js';
import type { SummariseDay } from './summarise-day.js';

/** What messages are made of, and how they are sent. */
export interface MessageParts {
  readonly news: Pick<ReadNews, 'after'>;
  readonly summary: Pick<SummariseDay, 'execute'>;
  readonly store: MessageStore;
  readonly messengers: Messengers;
  readonly wallClock: Clock;
  readonly localTime: LocalTime;
  /** The zone of whoever names none. */
  readonly zone: string;
  /** Reads a sealed token. */
  open(sealed: string): string;
}
