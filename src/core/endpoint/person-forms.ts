import { isZone } from '../zone.js';
import type { PersonTarget } from './person-target.js';

/** The number of a chat, of 52 bits at most, or the `@name` of a channel. */
export const CHAT_FORM = /^(-?([1-9][0-9]{0,14}|[1-8][0-9]{15})|@[A-Za-z][A-Za-z0-9_]{3,31})$/;
/** The topic of an ntfy server. */
export const TOPIC_FORM = /^[-_A-Za-z0-9]{1,64}$/;
/** A time of day, such as `22:00`. */
export const TIME_FORM = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
/** The longest that events are gathered for one message. */
export const MOST_GATHER_MS = 600_000;
/** The largest number of a topic of a group. */
export const MOST_THREAD = 999_999_999;

/** What is wrong with where and how a person is to be notified: a member, and words that follow it; null where nothing is. */
export function personProblem(target: PersonTarget): readonly [member: string, words: string] | null {
  return placeProblem(target) ?? termsProblem(target);
}

function placeProblem(target: PersonTarget): readonly [string, string] | null {
  if (target.kind === 'ntfy') {
    const isTopic = TOPIC_FORM.test(String(target.topic));
    return isTopic ? null : ['topic', 'must have 1 to 64 letters, digits, - or _'];
  }
  if (!CHAT_FORM.test(target.chatId)) return ['chatId', 'must be the number of a chat, or the @name of a channel'];
  const isThread = target.threadId === null || isWhole(target.threadId, 1, MOST_THREAD);
  return isThread ? null : ['threadId', `must be a whole number from 1 to ${MOST_THREAD}, or null`];
}

function termsProblem({ terms }: PersonTarget): readonly [string, string] | null {
  const { quietHours, summaryAt, zone, gatherMs } = terms;
  const times = quietHours === null ? [] : [quietHours.from, quietHours.to];
  if (!times.every((time) => TIME_FORM.test(String(time)))) return ['quietHours', 'must have times such as 22:00'];
  if (summaryAt !== null && !TIME_FORM.test(String(summaryAt))) return ['summaryAt', 'must be a time such as 08:00'];
  if (zone !== null && !isZone(String(zone))) return ['zone', 'must be a time zone such as Europe/Berlin'];
  return isWhole(gatherMs, 0, MOST_GATHER_MS)
    ? null
    : ['gatherMs', `must be a whole number from 0 to ${MOST_GATHER_MS}`];
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;
