import type { SendOutcome } from '../../ports/messenger.js';
import type { QuietHours } from '../endpoint/message-terms.js';
import type { MessageProgress, Person } from '../endpoint/person.js';
import { Bundle } from './bundle.js';
import type { News, TimeOfDay } from './interest.js';
import { isUrgent } from './interest.js';

/** `urgent` is sent at once, during quiet hours too; `usual` is not. */
export type Urgency = 'urgent' | 'usual';

/** Events that wait to be sent, and when they came. */
interface Waiting {
  readonly bundle: Bundle;
  /** The number of the first of them. */
  readonly from: number;
  readonly arrivals: Arrivals;
}

/** The mail of one log to one person: what was not sent yet, and how far that log was read. */
export class Mailbox {
  readonly #waiting = new Map<Urgency, Waiting>();
  #readUpTo: number;
  #urgentSentUpTo: number;
  #sentAt: number | null = null;

  /**
   * @param readUpTo the number of the event up to which everything was sent
   * @param urgentSentUpTo the one up to which everything urgent was
   */
  constructor(readUpTo: number, urgentSentUpTo = 0) {
    this.#readUpTo = readUpTo;
    this.#urgentSentUpTo = urgentSentUpTo;
  }

  /** The number of the event up to which the log was read. */
  get readUpTo(): number {
    return this.#readUpTo;
  }

  /** The number up to which everything was sent. */
  get sentUpTo(): number {
    return Math.min(this.#readUpTo, ...[...this.#waiting.values()].map(({ from }) => from - 1));
  }

  /** The number up to which everything urgent was sent. */
  get urgentSentUpTo(): number {
    return this.#urgentSentUpTo;
  }

  /** Whether another process has sent more meanwhile. */
  isBehind(sentUpTo: number, urgentSentUpTo: number): boolean {
    return sentUpTo > this.sentUpTo || urgentSentUpTo > this.#urgentSentUpTo;
  }

  /** Notes that the log was read up to this number, and keeps the news to be sent from it. */
  read(readUpTo: number, news: readonly News[], at: Date): void {
    for (const one of news) this.#put(one, at.getTime());
    this.#readUpTo = Math.max(readUpTo, this.#readUpTo);
  }

  /** Notes that the log has the events after this number only: the loss of those before it is reported too. */
  lost(to: number, at: Date): void {
    const { bundle } = this.#opened('usual', this.#readUpTo + 1, at.getTime());
    bundle.note(`Events ${this.#readUpTo + 1} to ${to} were deleted before they could be sent.`);
    this.#readUpTo = Math.max(to, this.#readUpTo);
  }

  /** What is to be sent now; null for nothing. What is urgent comes first, and alone while it is quiet. */
  due(at: Date, isQuiet: boolean, pacing: Omit<Pacing, 'sentAt'>): Urgency | null {
    const isDue = (urgency: Urgency) => (this.#dueAt(urgency, pacing) ?? Number.POSITIVE_INFINITY) <= at.getTime();
    if (isDue('urgent')) return 'urgent';
    return !isQuiet && isDue('usual') ? 'usual' : null;
  }

  /** When something is to be sent next, unless more comes; null where nothing waits. */
  nextAt(isQuiet: boolean, pacing: Omit<Pacing, 'sentAt'>): Date | null {
    const times = [this.#dueAt('urgent', pacing), isQuiet ? null : this.#dueAt('usual', pacing)];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : new Date(Math.min(...known));
  }

  /** The number of the first event that waits, and all that wait with it; undefined where nothing does. */
  waiting(urgency: Urgency): { readonly from: number; readonly bundle: Bundle } | undefined {
    return this.#waiting.get(urgency);
  }

  /** Notes that it was sent, or cannot be. */
  done(urgency: Urgency): void {
    this.#waiting.delete(urgency);
    if (urgency === 'urgent') this.#urgentSentUpTo = this.#readUpTo;
  }

  /** A message was sent, whatever became of it. */
  sent(at: Date): void {
    this.#sentAt = at.getTime();
  }

  #dueAt(urgency: Urgency, pacing: Omit<Pacing, 'sentAt'>): number | null {
    const waiting = this.#waiting.get(urgency);
    if (waiting === undefined) return null;
    return dueAt(waiting.arrivals, urgency === 'urgent', { ...pacing, sentAt: this.#sentAt });
  }

  #put(news: News, at: number): void {
    const urgency = isUrgent(news) ? 'urgent' : 'usual';
    if (urgency === 'urgent' && news.seq <= this.#urgentSentUpTo) return;
    this.#opened(urgency, news.seq, at).bundle.add(news);
  }

  #opened(urgency: Urgency, seq: number, at: number): Waiting {
    const { bundle, from, arrivals } = this.#waiting.get(urgency) ?? {
      bundle: new Bundle(),
      from: seq,
      arrivals: { first: at, last: at },
    };
    const waiting = { bundle, from, arrivals: { ...arrivals, last: at } };
    this.#waiting.set(urgency, waiting);
    return waiting;
  }
}

/** Whether a time of day is within them. Times of one form compare as texts. */
export function isQuiet({ from, to }: QuietHours, time: string): boolean {
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

/** The least time between two messages to one person. */
const APART_MS = 3000;
/** A bundle waits at most so many times as long as it waits for more. */
const GATHER_AT_MOST = 3;

/** When something of a bundle came, in milliseconds of one clock. */
export interface Arrivals {
  readonly first: number;
  readonly last: number;
}

/** What holds messages back, in milliseconds of the same clock. */
export interface Pacing {
  /** When the last one was sent; null before the first. */
  readonly sentAt: number | null;
  /** No message before that: the messenger asked to wait, or did not answer. */
  readonly notBefore: number;
  readonly gatherMs: number;
}

/** When a bundle is due. What is urgent does not wait for more. */
export function dueAt(arrivals: Arrivals, isUrgent: boolean, { sentAt, notBefore, gatherMs }: Pacing): number {
  const { first, last } = arrivals;
  const gathered = isUrgent ? first : Math.min(last + gatherMs, first + GATHER_AT_MOST * gatherMs);
  return Math.max(gathered, notBefore, sentAt === null ? 0 : sentAt + APART_MS);
}

/** What is kept of one person between two rounds. */
export interface KeptMail {
  readonly epoch: number;
  readonly mailbox: Mailbox;
  /** How often sending failed in a row. */
  failures: number;
  /** The day whose summary was sent, as far as this process knows. */
  summarised: string | null;
}

/** What is to be sent now, and when to look again. */
export interface DueNow {
  readonly what: Urgency | 'summary' | null;
  /** Null where only something new changes that. */
  readonly nextAt: Date | null;
  /** By the calendar and the clocks of the person. */
  readonly day: string;
  readonly time: TimeOfDay;
}

/** The clocks of a person. */
interface PersonClock {
  readonly now: Date;
  local(at: Date): { readonly day: string; readonly time: string };
}

/** How often the end of quiet hours and the time of the summary are checked. */
const LOOK_MS = 30_000;

/** What a person is to be sent now. The summary goes first, so that a delivery after its time shows that it was sent. */
export function dueNow(
  person: Pick<Person, 'createdAt' | 'target'>,
  mail: KeptMail,
  progress: MessageProgress,
  { now, local }: PersonClock,
): DueNow {
  const { quietHours, summaryAt, gatherMs } = person.target.terms;
  const { day, time } = local(now);
  const notBefore = progress.heldUntil?.getTime() ?? 0;
  const quiet = quietHours !== null && isQuiet(quietHours, time);
  const sentUpTo = progress.deliveredAt ?? person.createdAt;
  const wantsSummary = summaryAt !== null && mail.summarised !== day && time >= summaryAt;
  const isSummary = wantsSummary && now.getTime() >= notBefore && textOf(local(sentUpTo)) < `${day} ${summaryAt}`;
  const next = mail.mailbox.nextAt(quiet, { notBefore, gatherMs });
  const look = quietHours === null && summaryAt === null ? null : new Date(now.getTime() + LOOK_MS);
  return {
    what: isSummary ? 'summary' : mail.mailbox.due(now, quiet, { notBefore, gatherMs }),
    nextAt: next === null || (look !== null && look < next) ? look : next,
    day,
    time: (at) => local(at).time,
  };
}

const textOf = ({ day, time }: { readonly day: string; readonly time: string }): string => `${day} ${time}`;

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;
/** A person who received nothing for five days is sent nothing more. */
const DEAD_MS = 5 * 24 * 60 * 60_000;
/** How often a pause is doubled; beyond that it is the longest one. */
const DOUBLED_AT_MOST = 7;

/** What is to be put on record of a message. */
export interface Sent {
  readonly progress: MessageProgress;
  /** Why nothing more is sent, as a sentence; null where more is. */
  readonly disabledBecause: string | null;
  /** Whether it is done with: delivered, or never to be. */
  readonly isDone: boolean;
}

/** What follows from the outcome of a message; `failures` is how often it failed before, in a row. */
export function afterSending(progress: MessageProgress, outcome: SendOutcome, failures: number, at: Date): Sent {
  switch (outcome.kind) {
    case 'delivered':
      return done({ ...progress, heldUntil: null, failingSince: null, deliveredAt: at });
    case 'refused':
    case 'too_long': {
      const { progress: after, disabledBecause } = held(progress, outcome.because, 0, at);
      return { ...done({ ...after, heldUntil: progress.heldUntil }), disabledBecause };
    }
    case 'gone':
      return { progress, disabledBecause: `${outcome.because}.`, isDone: false };
    case 'moved':
      return held(progress, 'It moved again and again', pauseAfter(failures), at);
    case 'retry':
      return held(progress, outcome.because, outcome.afterMs ?? pauseAfter(failures), at);
  }
}

const done = (progress: MessageProgress): Sent => ({ progress, disabledBecause: null, isDone: true });

function held(before: MessageProgress, because: string, waitMs: number, at: Date): Sent {
  const failingSince = before.failingSince ?? at;
  const progress = { ...before, failingSince, heldUntil: new Date(at.getTime() + waitMs) };
  const dead =
    at.getTime() - failingSince.getTime() >= DEAD_MS ? `Nothing was delivered for five days: ${because}.` : null;
  return { progress, disabledBecause: dead, isDone: false };
}

/** 5 seconds, then twice as long each time, up to ten minutes. */
const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, DOUBLED_AT_MOST), LONGEST_PAUSE_MS);
