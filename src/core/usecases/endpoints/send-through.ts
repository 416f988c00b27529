import type { Button, Messenger, Messengers, SendOutcome } from '../../../ports/messenger.js';
import type { PersonTarget } from '../../endpoint/person-target.js';
import { fitText } from '../../message/message-text.js';

/** The text of a message, line by line. */
export interface MessageLines {
  readonly title: string;
  readonly lines: readonly string[];
  /** How many events are not among the lines. */
  readonly beyond: number;
  readonly isUrgent: boolean;
  /** Buttons for some of the lines: those of a line that does not fit are left out. */
  readonly rows?: readonly ButtonRow[];
}

/** The buttons for one line of a message. */
export interface ButtonRow {
  readonly line: string;
  readonly buttons: readonly Button[];
}

/** How many rows of buttons a message has at most. */
const MOST_ROWS = 20;

/** What is shorter than that is not shortened further. */
const SHORTEST = 256;

async function sendFitting<Target extends PersonTarget>(
  messenger: Messenger<Target>,
  target: Target,
  token: string | null,
  { title, lines, beyond, isUrgent, rows = [] }: MessageLines,
): Promise<SendOutcome> {
  const { sizeOf } = messenger.limit;
  for (let { most } = messenger.limit; ; most >>= 1) {
    const text = fitText(lines, beyond, { most, sizeOf });
    const shown = new Set(text.split('\n'));
    const buttons = rows.filter(({ line }) => shown.has(line)).map((row) => row.buttons);
    const some = buttons.length > 0 && { buttons: buttons.slice(0, MOST_ROWS) };
    const outcome = await messenger.send(target, token, { title, text, isUrgent, ...some });
    if (outcome.kind !== 'too_long' || most < SHORTEST) return outcome;
  }
}

/** Sends lines as one message, as long as the messenger takes: one that finds it too long gets a shorter one. */
export const sendThrough = (
  { telegram, ntfy }: Messengers,
  target: PersonTarget,
  token: string | null,
  lines: MessageLines,
): Promise<SendOutcome> =>
  target.kind === 'telegram' ? sendFitting(telegram, target, token, lines) : sendFitting(ntfy, target, token, lines);
