import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { paintFor } from './output/paint.js';
import { type Detail, detailsOf } from './output/table.js';
import type { Flag } from './page-options.js';
import type { RemoteOptions } from './remote-command.js';
import type { Terminal } from './terminal.js';

/** What every command takes that moves money, or stops it. */
export interface ConfirmedOptions extends RemoteOptions {
  readonly yes?: boolean;
  readonly key?: string;
}

/** The options of such a command. */
export const CONFIRMED_OPTIONS: readonly Flag[] = [
  ['--yes', 'do it without a question; needed where nobody can be asked'],
  ['--key <key>', 'the idempotency key of a request whose answer was lost: repeats it, and does nothing twice'],
];

/**
 * Lets a command pass that can ask a person, or need not. Call it before the first request.
 * @throws CommandFailed where nobody can be asked
 */
export function requireConsent(terminal: Terminal, { yes }: ConfirmedOptions, action: string): void {
  if (yes === true || terminal.isInteractive) return;
  const words = `Nobody can be asked here whether to ${action}. Say --yes to do it without a question. Nothing was done.`;
  throw new CommandFailed(words, EXIT.usage);
}

/**
 * Shows a person what is about to be done, with its figures, and goes on if the answer is yes.
 * @throws CommandFailed for any other answer
 */
export async function confirm(
  terminal: Terminal,
  { yes }: ConfirmedOptions,
  asked: { readonly figures: readonly Detail[]; readonly question: string },
): Promise<void> {
  if (yes === true) return;
  process.stderr.write(`${detailsOf(asked.figures, paintFor(process.stderr))}\n`);
  const answer = await terminal.ask(`${asked.question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('Nothing was done.', EXIT.no);
}

/** The key of this run: the one that was given, or a new one. */
export const runKey = ({ key }: ConfirmedOptions): string => key ?? crypto.randomUUID();
