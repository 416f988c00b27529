import type { WireProblem } from '../../../adapters/http/answers.js';
import type { ExitCode } from '../../../server/failures/exit.js';
import { CommandFailed } from '../../../server/failures/exit.js';

/** A command that a server did not do, or whose answer is not known. */
export class ApiFailure extends CommandFailed {
  /** What the server said; null where it said nothing. */
  readonly problem: WireProblem | null;
  /** Repeats the same request; null where there is nothing to repeat. */
  readonly key: string | null;

  constructor(message: string, exit: ExitCode, more: { problem?: WireProblem | undefined; key?: string } = {}) {
    super(message, exit);
    this.name = 'ApiFailure';
    this.problem = more.problem ?? null;
    this.key = more.key ?? null;
  }
}
