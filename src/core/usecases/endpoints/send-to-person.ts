import type { Messengers, SendOutcome } from '../../../ports/messenger.js';
import type { Clock } from '../../../ports/system.js';
import type { Person } from '../../endpoint/person.js';
import type { PersonTarget } from '../../endpoint/person-target.js';
import { SecretUnreadable } from '../../endpoint/webhook-errors.js';
import type { AskedBet } from '../../message/bundle.js';
import { approvalButtons, type CodeOf } from '../../message/press.js';
import { type ButtonRow, type MessageLines, sendThrough } from './send-through.js';
import type { PersonRecords } from './subscribe-person.js';

/** What messages are sent with. */
export interface SendingParts {
  readonly messengers: Messengers;
  readonly store: Pick<PersonRecords, 'move'>;
  readonly wallClock: Clock;
  /** Reads a sealed token. @throws SecretUnreadable */
  open(sealed: string): string;
}

/** What became of a message, and where it was sent in the end. */
export interface SentToPerson {
  readonly outcome: SendOutcome;
  readonly target: PersonTarget;
}

/** Sends a person one message, and follows a chat to its new name, once. It never throws for what a messenger does. */
export class SendToPerson {
  constructor(private readonly parts: SendingParts) {}

  /** @throws StorageUnavailable when a new name cannot be stored */
  async execute(person: Person, lines: MessageLines): Promise<SentToPerson> {
    const { target } = person;
    const token = this.#token(person);
    if (token === undefined) return { outcome: UNREADABLE, target };
    const outcome = await sendThrough(this.parts.messengers, target, token, lines);
    if (outcome.kind !== 'moved' || target.kind !== 'telegram') return { outcome, target };
    await this.parts.store.move(person, target.chatId, outcome.chatId, this.parts.wallClock.now());
    const moved = { ...target, chatId: outcome.chatId };
    return { outcome: await sendThrough(this.parts.messengers, moved, token, lines), target: moved };
  }

  /** Undefined where it cannot be read with the key of this program; another one may have it. */
  #token({ sealedToken }: Person): string | null | undefined {
    try {
      return sealedToken === null ? null : this.parts.open(sealedToken);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}

/** The buttons that a person gets for bets that wait: none where they may not command the account. */
export function buttonRows(
  { id, target }: Pick<Person, 'id' | 'target'>,
  asked: readonly AskedBet[],
  codeOf: CodeOf | undefined,
): readonly ButtonRow[] {
  const grant = target.kind === 'telegram' ? target.commands : undefined;
  if (grant === undefined || codeOf === undefined) return [];
  const rows = asked.map(({ line, approval }) => ({ line, buttons: approvalButtons(approval, id, grant, codeOf) }));
  return rows.filter(({ buttons }) => buttons.length > 0);
}

const UNREADABLE: SendOutcome = {
  kind: 'retry',
  because: 'Its token was sealed with another key than SECRETS_KEY',
  afterMs: null,
};
