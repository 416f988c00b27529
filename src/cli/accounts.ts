import { Command, InvalidArgumentError } from 'commander';
import { freeCash, isOfAll, liftingOf } from '../core/account/account.js';
import type { AccountId, VenueName } from '../core/ids.js';
import { VENUE_NAME } from '../core/market/market.js';
import { formatMicro, NO_USDC, type Usdc } from '../core/money.js';
import { sentenceOf } from '../core/posting/trading-stop.js';
import type {
  HaltedAccount,
  LiveAccount,
  ManageAccounts,
  ReleasedAccount,
} from '../core/usecases/accounts/manage-accounts.js';
import { CommandFailed, EXIT, type ExitCode } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { VENUE_ADAPTERS } from '../server/venues.js';
import { momentShown } from './api/output/shown.js';
import { accountOption, amountOption, JSON_OPTION, reasonOption } from './command-options.js';
import { GROUP_HEADS } from './group-heads.js';
import { operatorOn } from './operator.js';
import { print, printJson } from './print.js';
import { type Access, withLedger } from './with-ledger.js';

interface Output {
  readonly json?: boolean;
}

interface AtVenue extends Output {
  readonly venue: VenueName;
}

const NAME = ['<name>', 'the account, spelt exactly as its key or token names it'] as const;
const REASON = ['--reason <text>', 'why, in one line'] as const;
const STOPPED = 'an operator stopped it';
const STOPPED_ALL = 'an operator stopped everything';
const AMOUNT = ['<usdc>', 'how much, in USDC: 250 or 99.5'] as const;

const VENUE_OPTION = ['--venue <name>', 'the venue where the money is', venueOption, VENUE_ADAPTERS[0].name] as const;

/** A venue as given on the command line. @throws InvalidArgumentError in words */
function venueOption(text: string): VenueName {
  if (VENUE_NAME.test(text)) return text as VenueName;
  throw new InvalidArgumentError('It takes 1 to 32 of a to z, digits, _ and -, a letter first, such as polymarket.');
}

/** `stakeport accounts …`: which accounts may trade with real money, and how much of the wallet is theirs. */
export function accountsCommand(): Command {
  const accounts = new Command('accounts').description(GROUP_HEADS.accounts.means);
  accounts
    .command('enable-live')
    .argument(NAME[0], `${NAME[1]}; created if it does not exist`, accountOption)
    .description('let the account trade with real money, on a server with LIVE_TRADING=on')
    .option(...JSON_OPTION)
    .action((name: AccountId, output: Output) => showAfter('make', output, (manage) => manage.allowLive(name, true)));
  accounts
    .command('disable-live')
    .argument(...NAME, accountOption)
    .description('send no more of its orders with real money; resting orders stay at the venue')
    .option(...JSON_OPTION)
    .action((name: AccountId, output: Output) =>
      showAfter('change', output, (manage) => manage.allowLive(name, false)),
    );
  addMoney(accounts);
  accounts
    .command('show')
    .argument(...NAME, accountOption)
    .description('show whether it may trade with real money, how much of the wallet is its, and what stops it')
    .option(...JSON_OPTION)
    .action((name: AccountId, output: Output) => showAfter('read', output, (manage) => manage.show(name)));
  accounts
    .command('list')
    .description(
      'show the same of every account that may trade with real money, is halted, or has, or had, a part of the wallet',
    )
    .option(...JSON_OPTION)
    .action(list);
  addHalting(accounts);
  return accounts;
}

function addMoney(accounts: Command): void {
  accounts
    .command('deposit')
    .argument(...NAME, accountOption)
    .argument(...AMOUNT, amountOption)
    .description("book this much of the wallet's money to the account; moves nothing at the venue")
    .option(...VENUE_OPTION)
    .option(...JSON_OPTION)
    .action((name: AccountId, amount: Usdc, { venue, ...output }: AtVenue) =>
      showAfter('change', output, (manage) => manage.deposit(name, venue, amount)),
    );
  accounts
    .command('withdraw')
    .argument(...NAME, accountOption)
    .argument(...AMOUNT, amountOption)
    .description('book this much less to the account, if no order reserves it; moves nothing at the venue')
    .option(...VENUE_OPTION)
    .option(...JSON_OPTION)
    .action((name: AccountId, amount: Usdc, { venue, ...output }: AtVenue) =>
      showAfter('change', output, (manage) => withdrawn(manage, name, venue, amount)),
    );
}

function addHalting(accounts: Command): void {
  accounts
    .command('halt')
    .argument(...NAME, accountOption)
    .option(...REASON, reasonOption(STOPPED), STOPPED)
    .option(...JSON_OPTION)
    .description(
      'send no more of its orders with real money until it is released; resting orders stay at the venue: see stakeport cancel-all',
    )
    .action((name: AccountId, { reason, ...output }: Output & { reason: string }) =>
      showAfter('change', output, (manage) => manage.halt(name, reason)),
    );
  accounts
    .command('halt-all')
    .option(...REASON, reasonOption(STOPPED_ALL), STOPPED_ALL)
    .option(...JSON_OPTION)
    .description('halt every account that accounts list shows; reports first the newly halted, then the others')
    .action(({ reason, json = false }: Output & { reason: string }) =>
      withAccounts('change', (manage) => haltAll(manage, reason, json)),
    );
  accounts
    .command('release')
    .argument(...NAME, accountOption)
    .description(
      'lift a halt by an operator or because of an answer of the venue, and show what else stops the account, and how that is lifted',
    )
    .option(...JSON_OPTION)
    .action((name: AccountId, { json }: Output) =>
      withAccounts('change', async (manage) => {
        const released = await manage.release(name);
        if (json) printJson({ ...wireOf(released), lifted: released.lifted });
        else print(releasedInWords(released));
      }),
    );
}

async function withdrawn(
  manage: ManageAccounts,
  name: AccountId,
  venue: VenueName,
  amount: Usdc,
): Promise<LiveAccount> {
  const account = await manage.withdraw(name, venue, amount);
  if (account !== null) return account;
  const { balances } = await manage.show(name);
  const balance = balances.find((one) => one.venue === venue) ?? { cash: NO_USDC, reserved: NO_USDC };
  const free = `${formatMicro(freeCash(balance))} USDC of ${formatMicro(balance.cash)} are free of orders`;
  throw new CommandFailed(`${name} has less than ${formatMicro(amount)} USDC to withdraw: ${free}.`, EXIT.no);
}

function list({ json }: Output): Promise<void> {
  return withAccounts('read', async (manage) => {
    const accounts = await manage.list();
    if (json) printJson(accounts.map(wireOf));
    else print(accounts.map(inWords).join('\n') || 'No account uses real money.');
  });
}

/** Shows an account after a change. */
function showAfter(
  access: Access,
  { json }: Output,
  use: (manage: ManageAccounts) => Promise<LiveAccount>,
): Promise<void> {
  return withAccounts(access, async (manage) => {
    const account = await use(manage);
    if (json) printJson(wireOf(account));
    else print(inWords(account));
  });
}

function withAccounts(access: Access, use: (manage: ManageAccounts) => Promise<void>): Promise<void> {
  return withLedger(access, (ledger) => use(operatorOn(ledger).manage));
}

function inWords({ account, liveEnabled, effective, halt, states, balance }: LiveAccount): string {
  const money = `${formatMicro(balance.cash)} USDC are its, ${formatMicro(freeCash(balance))} of them free.`;
  const others =
    halt === null
      ? states
      : states.filter(({ scope, code, since }) => !(scope === 'account' && code === halt.code && +since === +halt.at));
  return [
    `${account} ${liveEnabled ? MAY[effective] : MAY.halted}; ${money}`,
    ...(halt === null ? [] : [`Halted since ${momentShown(halt.at)} (${halt.code}): ${halt.message}`]),
    liveEnabled || halt !== null
      ? ''
      : `Not enabled for real money. To enable it: stakeport accounts enable-live ${account}`,
    ...(halt === null ? [] : [afterRelease(liveEnabled, others.some(isOfAll))]),
    ...others.map((one) => `Not lifted by a release: ${sentenceOf(one)}. ${liftingOf(one)}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function afterRelease(liveEnabled: boolean, isStopped: boolean): string {
  if (!liveEnabled) return 'Released, it may not either: see accounts enable-live.';
  return isStopped ? '' : 'Once released it may again.';
}

const MAY = {
  active: 'may trade with real money',
  reducing: 'may place only orders with real money that lower a worst case',
  halted: 'may place no new orders with real money',
} as const;

function releasedInWords({ lifted, ...account }: ReleasedAccount): string {
  const done =
    lifted === null ? 'There was no halt to release.' : `The halt is lifted (${lifted.code}): ${lifted.message}`;
  return `${done}\n${inWords(account)}`;
}

function wireOf({ account, liveEnabled, effective, halt, states, balance, balances }: LiveAccount): object {
  const venues = balances.map(({ venue, cash, reserved }) => ({ venue, cashUsdc: cash, reservedUsdc: reserved }));
  const money = { cashUsdc: balance.cash, reservedUsdc: balance.reserved, venues };
  return { account, liveEnabled, effective, halt, states, ...money };
}

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
    print(`Already halted: ${account}, since ${momentShown(halt.at)} (${halt.code}): ${halt.message}`);
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
