import type { Messenger, Messengers, SendOutcome } from '../../../ports/messenger.js';
import type { PersonTarget } from '../../endpoint/person-target.js';
import { fitText } from '../../message/message-text.js';

/** The text of a message, line by line. */
export interface MessageLines {
  readonly title: string;
  readonly lines: readonly string[];
  /** How many events are not among the lines. */
  readonly beyond: number;
  readonly isUrgent: boolean;
}

/** What is shorter than that is not shortened further. */
const SHORTEST = 256;

async function sendFitting<Target extends PersonTarget>(
  messenger: Messenger<Target>,
  target: Target,
  token: string | null,
  { title, lines, beyond, isUrgent }: MessageLines,
): Promise<SendOutcome> {
  const { sizeOf } = messenger.limit;
  for (let { most } = messenger.limit; ; most >>= 1) {
    const text = fitText(lines, beyond, { most, sizeOf });
    const outcome = await messenger.send(target, token, { title, text, isUrgent });
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
