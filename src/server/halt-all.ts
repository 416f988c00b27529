import type { LiveAccount, ManageAccounts } from '../core/usecases/manage-accounts.js';
import { CommandFailed } from './command-failed.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { failureOf } from './failure.js';
import { print, printJson } from './print.js';

type Halts = Pick<ManageAccounts, 'list' | 'halt'>;

/** What became of halting one account. */
type Halting =
  | { readonly account: string; readonly failed: null }
  | { readonly account: string; readonly failed: string; readonly exit: ExitCode };

/**
 * Halts every account that has to do with real money, and tells of each at once; then which were halted before. In JSON it
 * tells all at the end.
 * @throws CommandFailed that names those that could not be halted, once the others are
 */
export async function haltAll(manage: Halts, reason: string, json: boolean): Promise<void> {
  const accounts = await listed(manage);
  const going = accounts.filter(({ halt }) => halt === null);
  const tell = json ? () => {} : print;
  const halting = await Promise.all(going.map(({ account }) => halted(manage, account, reason, tell)));
  const before = accounts.flatMap(({ account, halt }) => (halt === null ? [] : [{ account, ...halt }]));
  for (const { account, at, code, message } of before) {
    tell(`Was halted before: ${account}, since ${at.toISOString()} (${code}): ${message}`);
  }
  if (accounts.length === 0) tell('No account has to do with real money: there is nothing to halt.');
  const notHalted = halting.flatMap((one) => (one.failed === null ? [] : [one]));
  if (json) {
    printJson({
      halted: halting.filter(({ failed }) => failed === null).map(({ account }) => account),
      haltedBefore: before,
      notHalted: notHalted.map(({ account, failed }) => ({ account, message: failed })),
    });
  }
  const [first] = notHalted;
  if (first === undefined) return;
  const words = notHalted.map(({ account, failed }) => `NOT HALTED, as far as is known: ${account}. ${failed}`);
  throw new CommandFailed(words.join('\n'), first.exit);
}

async function listed(manage: Halts): Promise<readonly LiveAccount[]> {
  try {
    return await manage.list();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`${failure.message} Nobody was halted.`, failure.exit, error);
  }
}

async function halted(
  manage: Halts,
  account: LiveAccount['account'],
  reason: string,
  tell: (text: string) => void,
): Promise<Halting> {
  try {
    await manage.halt(account, reason);
    tell(`Halted: ${account}.`);
    return { account, failed: null };
  } catch (error) {
    const failure = failureOf(error);
    // A mistake of this program with one account hides nothing of the others.
    const failed = failure?.message ?? `This must not happen: ${error instanceof Error ? error.message : error}.`;
    return { account, failed, exit: failure?.exit ?? EXIT.no };
  }
}
