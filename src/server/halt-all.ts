import type { LiveAccount, ManageAccounts } from '../core/usecases/manage-accounts.js';
import { CommandFailed } from './command-failed.js';
import { EXIT } from './exit-codes.js';
import { failureOf } from './failure.js';
import { print } from './print.js';

/**
 * Halts every account that has to do with real money, and tells of each at once; then which were halted before.
 * @throws CommandFailed that names those that could not be halted, once the others are
 */
export async function haltAll(manage: ManageAccounts, reason: string): Promise<void> {
  const accounts = await manage.list();
  const going = accounts.filter(({ halt }) => halt === null);
  const failed = (await Promise.all(going.map((account) => halted(manage, account, reason)))).flat();
  for (const { account, halt } of accounts) {
    if (halt === null) continue;
    print(`Was halted before: ${account}, since ${halt.at.toISOString()} (${halt.code}): ${halt.message}`);
  }
  if (accounts.length === 0) print('No account has to do with real money: there is nothing to halt.');
  if (failed.length === 0) return;
  const [{ exit } = { exit: EXIT.unavailable }] = failed;
  throw new CommandFailed(failed.map(({ message }) => message).join('\n'), exit);
}

/** Nothing, or why it could not be halted. */
async function halted(manage: ManageAccounts, { account }: LiveAccount, reason: string): Promise<CommandFailed[]> {
  try {
    await manage.halt(account, reason);
    print(`Halted: ${account}.`);
    return [];
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return [new CommandFailed(`NOT HALTED: ${account}. ${failure.message}`, failure.exit, error)];
  }
}
