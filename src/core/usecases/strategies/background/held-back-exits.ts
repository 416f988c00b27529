import type { Ledger } from '../../../../ports/ledger.js';
import { alarmed, alarmsOf, unalarmed } from '../../../account/account-alarms.js';
import { type AlarmKey, type AlarmRecord, alarmIn } from '../../../alarm/alarm.js';
import type { AccountId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import { moneyAt } from '../../../market/market.js';
import { decidedWords, plainText } from '../../../order/order-words.js';
import type { DecisionSubject } from '../../../strategy/decide/decide.js';
import type { NoSale } from '../../../strategy/exit/decide-exit.js';
import type { HeldPart } from '../exit-orders.js';
import type { ExitEntry } from './exit-entries.js';
import { HELD_BACK_MS } from './exit-entries.js';
import type { OnRunnerFault } from './runner-parts.js';

const KIND = 'exit_held_back';

/** An alarm on record. */
interface Raised {
  readonly account: AccountId;
  readonly since: Date;
}

/**
 * Raises an alarm where limits have held back an exit for a minute, and clears it once that is over: each once, whichever server
 * looks after the position. Nothing waits for an alarm that could not be written: it is raised with the next attempt to sell.
 */
export class HeldBackExits {
  /** Alarms on record of which no position is known here that is held back. */
  readonly #others = new Map<string, Raised>();
  #hasBegun = false;

  constructor(
    private readonly ledger: Pick<Ledger, 'read' | 'write' | 'listAccounts'>,
    private readonly onFault: OnRunnerFault,
  ) {}

  /** Reads what was raised before, by whatever server. @throws StorageUnavailable: then it is to be called again */
  async begin(): Promise<void> {
    if (this.#hasBegun) return;
    const read = (page: Page<AccountId>) => this.ledger.listAccounts({ alarmed: true }, page);
    for await (const accounts of slices(read, (account) => account))
      for (const account of accounts) {
        const alarms = await this.ledger.read({ account }, (now) => alarmsOf(now.account));
        for (const { kind, subject, since } of alarms) if (kind === KIND) this.#others.set(subject, { account, since });
      }
    this.#hasBegun = true;
  }

  /** What is known of a position when its management begins: null unless an alarm was raised before. */
  take(part: HeldPart): ExitEntry['heldBack'] {
    const raised = this.#others.get(subjectOf(part));
    this.#others.delete(subjectOf(part));
    return raised === undefined ? null : { since: raised.since, isRaised: true };
  }

  /** A limit let nothing of the exit pass. */
  async heldBack(entry: ExitEntry, decision: DecisionSubject & NoSale, now: Date): Promise<void> {
    const { since, isRaised } = entry.heldBack ?? { since: now, isRaised: false };
    entry.heldBack = { since, isRaised };
    if (isRaised || now.getTime() - since.getTime() < HELD_BACK_MS) return;
    entry.heldBack = { since, isRaised: await this.#raise(entry.held, decision, since) };
  }

  /** The exit passed, is wanted no more, or nothing is held. */
  async ended(entry: ExitEntry): Promise<void> {
    const { held, heldBack } = entry;
    entry.heldBack = null;
    if (heldBack?.isRaised !== true) return;
    const subject = subjectOf(held);
    this.#others.set(subject, { account: held.strategy.account, since: heldBack.since });
    await this.#clear(subject, held.strategy.account);
  }

  /** Clears the alarms of positions that are not held back, or not held, once all that are held were taken in. Never throws. */
  async clear(): Promise<void> {
    for (const [subject, { account }] of this.#others) await this.#clear(subject, account);
  }

  /** What cannot be written is, at the next call of `clear`. */
  async #clear(subject: string, account: AccountId): Promise<void> {
    try {
      await this.ledger.write({ account }, ({ account: now }) => {
        const next = unalarmed(now, { kind: KIND, subject });
        return { result: undefined, ...(next !== now && { accounts: [next] }) };
      });
      this.#others.delete(subject);
    } catch (error) {
      this.onFault('could not clear the alarm of an exit', error);
    }
  }

  /** Whether it is on record now. */
  async #raise(part: HeldPart, decision: DecisionSubject & NoSale, since: Date): Promise<boolean> {
    const key: AlarmKey = { kind: KIND, subject: subjectOf(part) };
    const alarm: AlarmRecord = { ...key, detail: detailOf(part, decision), since, until: null };
    try {
      const isRaised = await this.ledger.write({ account: part.strategy.account }, ({ account: now }) => {
        if (alarmIn(alarmsOf(now), key) !== undefined) return { result: true };
        const next = alarmed(now, alarm);
        return next === now ? { result: false } : { result: true, accounts: [next] };
      });
      if (isRaised) this.#others.delete(key.subject);
      return isRaised;
    } catch (error) {
      this.onFault('could not raise the alarm of an exit', error);
      return false;
    }
  }
}

/** Names the position. */
const subjectOf = ({ strategy, paper, venue, marketId, outcome }: HeldPart): string =>
  `strategy:${strategy.id} ${paper ? 'paper' : 'live'} ${venue} ${marketId} ${outcome}`;

function detailOf({ strategy, ...part }: HeldPart, decision: DecisionSubject & NoSale): string {
  const what = `${plainText(strategy.name)} cannot sell ${decidedWords(decision)}, ${moneyAt(part)}`;
  return `${what}, as ${decision.trigger} wants. ${decision.code}: ${decision.limit}`;
}
