import type { SendOutcome } from '../../../../ports/messenger.js';
import { type MessageProgress, nothingSent, type Person } from '../../../endpoint/person.js';
import type { EventType } from '../../../ledger/event-log.js';
import type { News } from '../../../message/interest.js';
import { afterSending, type DueNow, dueNow, type KeptMail, Mailbox, type Sent } from '../../../message/mailbox.js';
import type { MessageLines } from '../send-through.js';
import { buttonRows, SendToPerson } from '../send-to-person.js';
import type { Turn } from './deliver-webhooks.js';
import type { MessageParts } from './message-parts.js';

const PAGES_AT_ONCE = 20;
const NAMELESS = 'stakeport';

/** Notifies people of what happened: bundled, in their hours, and of each event at least once. */
export class SendMessages {
  readonly #kept = new Map<string, KeptMail>();
  readonly #sender: SendToPerson;

  constructor(private readonly parts: MessageParts) {
    this.#sender = new SendToPerson(parts);
  }

  /**
   * Reads what is new, and sends what is due: one message at most. Never two at once for one person. Returns when there is
   * more to do; null where only something new needs another round. @throws StorageUnavailable
   */
  async execute(person: Person, turn: Turn): Promise<Date | null> {
    const progress = (await this.parts.store.progress(person)) ?? nothingSent(person);
    const mail = this.#mail(person, progress);
    let isRead = await this.#read(person, mail.mailbox);
    const { what } = this.#due(person, mail, progress);
    const inTurn = async () => {
      // While it was queued something urgent may have happened, which is sent first.
      isRead = await this.#read(person, mail.mailbox);
      const due = this.#due(person, mail, progress);
      return due.what === null ? null : this.#send(person, mail, due, progress);
    };
    const sent = what === null ? null : await turn.send(inTurn, what === 'urgent');
    const { sentUpTo, urgentSentUpTo } = mail.mailbox;
    const after = { ...(sent?.progress ?? progress), passed: sentUpTo, urgentPassed: urgentSentUpTo };
    if (JSON.stringify(after) !== JSON.stringify(progress)) await this.parts.store.store(person, after);
    if (sent !== null && sent.disabledBecause !== null) {
      await this.parts.store.disable(person, sent.disabledBecause, this.#now());
      this.#kept.delete(person.id);
      return null;
    }
    return isRead ? this.#due(person, mail, after).nextAt : this.#now();
  }

  /** The kept mail; begins anew where a client moved it back or enabled it again, or another process sent more. */
  #mail({ id }: Person, { epoch, passed, urgentPassed }: MessageProgress): KeptMail {
    const known = this.#kept.get(id);
    if (known?.epoch === epoch && !known.mailbox.isBehind(passed, urgentPassed)) return known;
    const mail = { epoch, mailbox: new Mailbox(passed, urgentPassed), failures: 0, summarised: null };
    this.#kept.set(id, mail);
    return mail;
  }

  /** False where more is to be read. */
  async #read({ account, types, id }: Person, mailbox: Mailbox): Promise<boolean> {
    for (let pages = 0; pages < PAGES_AT_ONCE; pages += 1) {
      const { news, next, isLast, goneTo } = await this.parts.news.after(
        account,
        types as EventType[],
        mailbox.readUpTo,
      );
      if (goneTo !== null) mailbox.lost(goneTo, this.#now());
      mailbox.read(
        next,
        news.filter((one) => !isOfOwnLosses(one, id)),
        this.#now(),
      );
      if (isLast) return true;
    }
    return false;
  }

  #due(person: Person, mail: KeptMail, progress: MessageProgress): DueNow {
    const { localTime, zone } = this.parts;
    const here = person.target.terms.zone ?? zone;
    return dueNow(person, mail, progress, { now: this.#now(), local: (at) => localTime(at, here) });
  }

  async #send(person: Person, mail: KeptMail, due: DueNow, progress: MessageProgress): Promise<Sent> {
    const lines = await this.#lines(person, mail, due);
    const { outcome } = await this.#sender.execute(person, lines);
    const at = this.#now();
    const sent = afterSending(progress, outcome, mail.failures, at);
    mail.mailbox.sent(at);
    mail.failures = sent.isDone ? 0 : mail.failures + 1;
    if (sent.isDone && outcome.kind !== 'delivered') await this.#giveUp(person, mail, due, outcome);
    if (sent.isDone && due.what === 'summary') mail.summarised = due.day;
    if (sent.isDone && due.what !== null && due.what !== 'summary') mail.mailbox.done(due.what);
    return sent;
  }

  async #lines(person: Person, { mailbox }: KeptMail, { what, day, time }: DueNow): Promise<MessageLines> {
    const { account, description } = person;
    const title = description === '' ? NAMELESS : description;
    if (what === 'summary') {
      const lines = await this.parts.summary.execute(account, day, this.#now());
      return { title, lines, beyond: 0, isUrgent: false };
    }
    const bundle = what === null ? undefined : mailbox.waiting(what)?.bundle;
    const rows = buttonRows(person, bundle?.asked(time) ?? [], this.parts.codeOf);
    return { title, lines: bundle?.lines(time) ?? [], beyond: bundle?.beyond ?? 0, isUrgent: what === 'urgent', rows };
  }

  /** What can never be delivered is among the deliveries, with the reason. */
  async #giveUp(person: Person, { mailbox }: KeptMail, { what }: DueNow, outcome: SendOutcome): Promise<void> {
    const { store } = this.parts;
    const { readUpTo } = mailbox;
    const because = 'because' in outcome ? outcome.because : '';
    if (what === null || what === 'summary')
      return store.giveUp(person, readUpTo, `The daily summary: ${because}`, this.#now());
    const from = mailbox.waiting(what)?.from ?? readUpTo;
    await store.giveUp(person, from, because, this.#now());
    await store.skip(person, from, readUpTo, this.#now());
  }

  #now(): Date {
    return this.parts.wallClock.now();
  }
}

/** True of the news that this person missed events, which is not sent to them: sending it could fail again and again. */
const isOfOwnLosses = ({ type, data }: News, id: string): boolean =>
  type === 'webhook.skipped' && data.kind === 'webhook' && data.endpoint.id === id;
