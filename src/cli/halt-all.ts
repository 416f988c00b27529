import type { AccountId } from '../core/ids.js';
import type { HaltedAccount, ManageAccounts } from '../core/usecases/accounts/manage-accounts.js';
import { CommandFailed, EXIT, type ExitCode, failureOf } from '../server/failures/failure.js';
import { print, printJson } from './print.js';

type Halts = Pick<ManageAccounts, 'names' | 'halt'>;

interface NotHalted {
  readonly account: AccountId;
  readonly message: string;
  readonly exit: ExitCode;
}

/**
 * Halts every account that uses real money, one after another, so that a failure with one does not stop the others, and
 * prints each at once; then those that were already halted. JSON is printed at the end.
 * @throws CommandFailed that names the accounts that could not be halted, after the others are
 */
export async function haltAll(manage: Halts, reason: string, json: boolean): Promise<void> {
  const accounts = await named(manage);
  const halted: HaltedAccount[] = [];
  const notHalted: NotHalted[] = [];
  for (const account of accounts) {
    try {
      const done = await manage.halt(account, reason);
      halted.push(done);
      if (!json && !done.wasHalted) print(`Halted: ${account}.`);
    } catch (error) {
      notHalted.push(failed(account, error));
    }
  }
  if (json) printJson(rowOf(halted, notHalted));
  else printRest(halted, accounts.length);
  const [first] = notHalted;
  if (first === undefined) return;
  const words = notHalted.map(({ account, message }) => `NOT HALTED, as far as is known: ${account}. ${message}`);
  throw new CommandFailed(words.join('\n'), first.exit);
}

async function named(manage: Halts): Promise<readonly AccountId[]> {
  try {
    return await manage.names();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`${failure.message} No account was halted.`, failure.exit, error);
  }
}

/** A bug of this program with one account hides nothing of the others. */
function failed(account: AccountId, error: unknown): NotHalted {
  const failure = failureOf(error);
  const message = failure?.message ?? `This must not happen: ${error instanceof Error ? error.message : error}.`;
  return { account, message, exit: failure?.exit ?? EXIT.no };
}

function printRest(halted: readonly HaltedAccount[], accounts: number): void {
  for (const { account, halt, wasHalted } of halted) {
    if (!wasHalted || halt === null) continue;
    print(`Already halted: ${account}, since ${halt.at.toISOString()} (${halt.code}): ${halt.message}`);
  }
  if (accounts === 0) print('No account uses real money: there is nothing to halt.');
}

function rowOf(halted: readonly HaltedAccount[], notHalted: readonly NotHalted[]): object {
  return {
    halted: halted.filter(({ wasHalted }) => !wasHalted).map(({ account }) => account),
    haltedBefore: halted.filter(({ wasHalted }) => wasHalted).map(({ account, halt }) => ({ account, ...halt })),
    notHalted: notHalted.map(({ account, message }) => ({ account, message })),
  };
}
