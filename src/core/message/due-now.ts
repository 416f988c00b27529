import type { MessageProgress, Person } from '../endpoint/person.js';
import type { Mailbox, Urgency } from './mailbox.js';
import type { TimeOfDay } from './news.js';
import { isQuiet } from './quiet-hours.js';

/** What is kept of one person between two rounds. */
export interface KeptMail {
  readonly epoch: number;
  readonly mailbox: Mailbox;
  /** How often sending failed in a row. */
  failures: number;
  /** The day whose summary was told, as far as this process knows. */
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

/** How often it is looked whether it is quiet no more, or time for the summary. */
const LOOK_MS = 30_000;

/** What a person is to be told now. The summary goes first: what is delivered after its time then says that it was told. */
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
  const told = progress.deliveredAt ?? person.createdAt;
  const wantsSummary = summaryAt !== null && mail.summarised !== day && time >= summaryAt;
  const isSummary = wantsSummary && now.getTime() >= notBefore && textOf(local(told)) < `${day} ${summaryAt}`;
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
