import type { LocalTime } from '../../../../ports/system.js';
import type { CodeOf } from '../../../message/press.js';
import type { SendingParts } from '../send-to-person.js';
import type { PersonRecords } from '../subscribe-person.js';
import type { ReadNews } from './read-news.js';
import type { SummariseDay } from './summarise-day.js';

/** What messages are made of, and how they are sent. */
export interface MessageParts extends SendingParts {
  readonly news: Pick<ReadNews, 'after'>;
  readonly summary: Pick<SummariseDay, 'execute'>;
  readonly store: Pick<PersonRecords, 'progress' | 'store' | 'giveUp' | 'skip' | 'disable' | 'move'>;
  readonly localTime: LocalTime;
  /** The zone of a person who names none. */
  readonly zone: string;
  /** What buttons are made with; without it messages have none. */
  readonly codeOf?: CodeOf | undefined;
}
