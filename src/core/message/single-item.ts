import type { AlarmRecord } from '../alarm/alarm.js';
import { ALARM_MEANINGS } from '../alarm/meanings.js';
import { eventWords } from './event-words.js';
import type { MessageItem } from './message-item.js';
import type { News, TimeOfDay } from './news.js';
import { plainText } from './plain-text.js';

/** Tells the newest of several events that are about one thing, such as an approval. */
export class SingleItem implements MessageItem {
  private constructor(private readonly news: News) {}

  /** Tells this event. */
  static of(news: News): SingleItem {
    return new SingleItem(news);
  }

  with(news: News): MessageItem {
    return isOver(this.news, news) ? new OverItem(news) : new SingleItem(news);
  }

  words(time: TimeOfDay): string {
    return eventWords(this.news, time);
  }
}

/** Tells an alarm that was raised, and cleared before it was told. */
class OverItem implements MessageItem {
  constructor(private readonly news: News) {}

  with(news: News): MessageItem {
    return news.type === 'alarm.cleared' ? new OverItem(news) : SingleItem.of(news);
  }

  words(): string {
    const { data } = this.news;
    return data.kind === 'alarm' ? overWords(data.alarm) : '';
  }
}

const isOver = (before: News, now: News): boolean => before.type === 'alarm.raised' && now.type === 'alarm.cleared';

function overWords({ kind, subject, detail }: AlarmRecord): string {
  const of = subject === '' ? '' : ` (${plainText(subject)})`;
  return `Raised, and over again: ${ALARM_MEANINGS[kind].title}${of}. ${plainText(detail)}`;
}
