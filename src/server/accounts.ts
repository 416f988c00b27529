import { Command, InvalidArgumentError } from 'commander';
import { systemClock, uuidV7 } from '../adapters/system/system.js';
import { accountNamed } from '../core/access/account-name.js';
import { freeCash } from '../core/account/account.js';
import { DomainError } from '../core/errors.js';
import type { AccountId } from '../core/ids.js';
import { formatMicro, type Usdc, usdc } from '../core/money.js';
import { type LiveAccount, ManageAccounts } from '../core/usecases/manage-accounts.js';
import { ALONE } from './alone.js';
import { configOrExit } from './run.js';
import { openStore } from './store.js';

/** `stakeport accounts …`: who may trade with real money, and with how much of the wallet's. */
export function accountsCommand(): Command {
  const accounts = new Command('accounts').description(
    'let accounts trade with real money, and put down how much of the wallet is theirs; needs DATABASE_URL',
  );
  accounts
    .command('enable-live')
    .argument('<name>', 'the account', accountOption)
    .description('let the account trade with real money on a server with LIVE_TRADING=on')
    .action((name: AccountId) => withAccounts((manage) => manage.allowLive(name, true)));
  accounts
    .command('disable-live')
    .argument('<name>', 'the account', accountOption)
    .description('send no more of its orders; what rests at the exchange goes on')
    .action((name: AccountId) => withAccounts((manage) => manage.allowLive(name, false)));
  accounts
    .command('deposit')
    .argument('<name>', 'the account', accountOption)
    .argument('<usdc>', 'how much', amountOption)
    .description("put down that so much of the wallet's money is the account's; moves nothing at the exchange")
    .action((name: AccountId, amount: Usdc) => withAccounts((manage) => manage.deposit(name, amount)));
  accounts
    .command('withdraw')
    .argument('<name>', 'the account', accountOption)
    .argument('<usdc>', 'how much', amountOption)
    .description('the reverse, of what no order keeps back')
    .action((name: AccountId, amount: Usdc) => withAccounts((manage) => manage.withdraw(name, amount)));
  accounts
    .command('show')
    .argument('<name>', 'the account', accountOption)
    .description('tell whether it may trade with real money, what is its, and what halts it')
    .action((name: AccountId) => withAccounts((manage) => manage.show(name)));
  accounts
    .command('list')
    .description('tell the same of every account that has, or had, money of its own')
    .action(() => withEach(async () => {}));
  addHalting(accounts);
  return accounts;
}

function addHalting(accounts: Command): void {
  accounts
    .command('halt')
    .argument('<name>', 'the account', accountOption)
    .option('--reason <text>', 'why, for those who read it', 'an operator stopped it')
    .description('send no more of its orders with real money until it is released; what rests at the exchange goes on')
    .action((name: AccountId, { reason }: { reason: string }) => withAccounts((manage) => manage.halt(name, reason)));
  accounts
    .command('halt-all')
    .option('--reason <text>', 'why, for those who read it', 'an operator stopped everything')
    .description('the same for every account that has money of its own')
    .action(({ reason }: { reason: string }) => withEach((manage, { account }) => manage.halt(account, reason)));
  accounts
    .command('release')
    .argument('<name>', 'the account', accountOption)
    .description('let an account go on that was halted, by an operator or by what the exchange answered')
    .action((name: AccountId) => withAccounts((manage) => manage.release(name)));
}

/** Does something with each account, and tells how all are then. */
function withEach(deed: (manage: ManageAccounts, account: LiveAccount) => Promise<unknown>): Promise<void> {
  return managing(async (manage) => {
    await Promise.all((await manage.list()).map((account) => deed(manage, account)));
    const lines = (await manage.list()).map(told);
    return lines.length === 0 ? 'No account has money of its own.' : lines.join('\n');
  });
}

function withAccounts(use: (manage: ManageAccounts) => Promise<LiveAccount | null>): Promise<void> {
  return managing(async (manage) => {
    const account = await use(manage);
    return account === null ? null : told(account);
  });
}

/** Prints what the work tells; null is that there was not enough. */
async function managing(work: (manage: ManageAccounts) => Promise<string | null>): Promise<void> {
  const { database } = configOrExit(ALONE);
  if (database.kind === 'memory' || database.url === 'sqlite::memory:')
    return fail('Accounts need a database that lasts: set DATABASE_URL.');
  try {
    const store = await openStore({ database }, false);
    const manage = new ManageAccounts(store.ledger, { clock: systemClock, ids: uuidV7 });
    const words = await work(manage).finally(() => store.close());
    if (words === null) return fail('The account has less than that which no order keeps back.');
    process.stdout.write(`${words}\n`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    fail(error.message);
  }
}

function told({ account, liveEnabled, halt, balance }: LiveAccount): string {
  const may = liveEnabled ? 'may trade with real money' : 'may place no new orders with real money';
  const money = `${formatMicro(balance.cash)} USDC are its, ${formatMicro(freeCash(balance))} of them free.`;
  const stopped = halt === null ? '' : `\nHalted since ${halt.at.toISOString()} (${halt.code}): ${halt.message}`;
  return `${account} ${may}; ${money}${stopped}`;
}

/** An account as it is named on the command line. @throws InvalidArgumentError in words */
export function accountOption(text: string): AccountId {
  const account = accountNamed(text);
  if (account !== undefined) return account;
  throw new InvalidArgumentError('It takes 1 to 128 letters, digits and . _ - @ + : starting with a letter or digit.');
}

function amountOption(text: string): Usdc {
  const amount = attempt(() => usdc(text));
  if (amount !== undefined && amount > 0n) return amount;
  throw new InvalidArgumentError('It takes an amount above 0 with at most 6 decimals, such as 250 or 99.5.');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function fail(words: string): void {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
