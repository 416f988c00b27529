import type { News, TimeOfDay } from './news.js';

/** A line of a message, which several events may share. */
export interface MessageItem {
  /** The same with one more event. */
  with(news: News): MessageItem;
  words(time: TimeOfDay): string;
}
