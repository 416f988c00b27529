import type { SqlLedger } from '../adapters/sql/index.js';
import type { Balance } from '../core/account/account.js';
import { DomainError } from '../core/errors.js';
import type { OrderId } from '../core/ids.js';
import { type Page, slices } from '../core/ledger/query.js';
import { formatMicro, NO_USDC, plus, type Usdc } from '../core/money.js';
import type { LiveAccount } from '../core/usecases/accounts/manage-accounts.js';
import type { Check, ProbeAnswer, VenueWallet } from '../ports/venue-adapter.js';
import { otherWallet } from '../server/background/live-work.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { type Config, type Environment, type LiveConfig, readConfig } from '../server/settings/config.js';
import { ConfigInvalid } from '../server/settings/config-invalid.js';
import { unknownIn } from '../server/settings/stray-variables.js';
import type { DatabaseChoice } from '../server/settings/values.js';
import { openExistingStore } from '../server/wiring/existing-store.js';
import { openWallet } from '../server/wiring/live-venue.js';
import { missing, ok, warning } from '../settings/check.js';
import { momentShown } from './api/output/shown.js';
import { type TableColumn, tableOf } from './api/output/table.js';
import { operatorOn } from './operator.js';
import { print, printJson } from './print.js';

/** How the checks are printed. */
export interface DoctorOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
  /** The venue to examine, in place of those of MARKET_DATA. */
  readonly venue?: string;
  /** Also asks it what is not known of it, with orders of play money. */
  readonly probe?: boolean;
}

const QUESTIONS: readonly TableColumn<ProbeAnswer>[] = [
  { title: 'question', of: ({ question }) => question },
  { title: 'answer', of: ({ answer }) => answer },
];

/** `stakeport doctor`: prints each check on a line; exits with 1 when something is missing. */
export async function doctor({ json = false, venue: named, probe = false }: DoctorOptions): Promise<void> {
  const checks: Check[] = [];
  const env = named === undefined ? process.env : { ...process.env, MARKET_DATA: named };
  const config = configOf(env);
  for await (const check of examine(env, config)) {
    checks.push(check);
    if (!json) print(`${check.level.padEnd(9)}${check.words}`);
  }
  const answers = probe ? await probed(config) : null;
  if (answers !== null && !json) print(`\n${tableOf(QUESTIONS, answers, 'Nothing was asked.')}`);
  const isMissing = checks.some(({ level }) => level === 'missing');
  const venue = Array.isArray(config) ? null : config.live.venue;
  const rows = checks.map(({ level, words }) => ({ level, message: words }));
  if (json) printJson({ ready: !isMissing, venue, checks: rows, ...(answers !== null && { probe: answers }) });
  if (isMissing) process.exitCode = EXIT.no;
}

/**
 * Checks everything that trading with real money needs, in this environment. Changes nothing in the database or at the
 * venue, creates no API credentials and places nothing.
 */
export async function* examine(env: Environment, config = configOf(env)): AsyncGenerator<Check> {
  if (!Array.isArray(config)) {
    yield ok(`The configuration is valid. The venue examined is ${config.live.venue}.`);
  }
  for (const words of unknownIn(env)) yield warning(words);
  if (env['LIVE_TRADING'] !== 'on') {
    yield missing('LIVE_TRADING is not on, so no order moves real money. Set LIVE_TRADING=on when the rest is ok.');
  }
  if (Array.isArray(config)) return yield* config;
  const { live, database } = config;
  const { venue } = live;
  const wallet = await walletOf(live);
  if ('level' in wallet) {
    yield wallet;
    yield* (await live.trading.examine()).checks;
    return yield* examineBooks(database, { venue, wallet: null, collateral: null });
  }
  yield* wallet.checks;
  const { checks, collateral } = await wallet.examine();
  yield* checks;
  yield ok('Fees are read with the data of each market, and reserved with each order.');
  yield* examineBooks(database, { venue, wallet, collateral });
}

/** Asks the venue what is not known of it. @throws CommandFailed where it takes no such orders, or its key cannot be used */
async function probed(config: (Config & { live: LiveConfig }) | Check[]): Promise<readonly ProbeAnswer[]> {
  if (Array.isArray(config)) throw new CommandFailed('Nothing was asked: the configuration is not valid.', EXIT.config);
  const wallet = await walletOf(config.live);
  if ('level' in wallet) throw new CommandFailed(`Nothing was asked. ${wallet.words}`, EXIT.no);
  if (wallet.probe === undefined)
    throw new CommandFailed(`Nothing was asked: nothing about ${wallet.venue} is open.`, EXIT.usage);
  const answers: ProbeAnswer[] = [];
  for await (const answer of wallet.probe()) answers.push(answer);
  return answers;
}

/** The configuration as if live trading were on. */
function configOf(env: Environment): (Config & { live: LiveConfig }) | Check[] {
  try {
    return readConfig({ ...env, LIVE_TRADING: 'on' }) as Config & { live: LiveConfig };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.mistakes.map(({ variable, problem }) => missing(`${variable} ${problem}.`));
  }
}

async function walletOf(live: LiveConfig): Promise<VenueWallet | Check> {
  try {
    return (await openWallet(live)) ?? missing('No key is configured.');
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return missing(error.message);
  }
}

const HOW = 'Run: stakeport accounts enable-live NAME, and stakeport accounts deposit NAME USDC.';

/** The wallet at the venue that is examined. */
export interface ExaminedWallet {
  readonly venue: string;
  /** Null where its key cannot be read. */
  readonly wallet: VenueWallet | null;
  /** What it has at the venue; null where that is not known. */
  readonly collateral: Usdc | null;
}

/** Checks the accounts that trade with real money against the wallet at its venue. */
async function* examineBooks(
  database: DatabaseChoice,
  { venue, wallet, collateral }: ExaminedWallet,
): AsyncGenerator<Check> {
  if (database.kind === 'memory') return;
  let ledger: SqlLedger | undefined;
  try {
    ledger = await openExistingStore(database.url);
    const accounts = await operatorOn(ledger).manage.list();
    const foreign = wallet && (await otherWallet(ledger, wallet));
    if (foreign !== null) yield missing(foreign);
    yield* enabled(accounts, venue, collateral);
    yield* halts(accounts);
    yield* unknown(await unknownByVenue(ledger));
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    yield missing(`The accounts cannot be read. ${failure.message}`);
    // Not closed: a failing database would not close either, and the process is about to end.
    return;
  }
  await ledger.close();
}

function* enabled(accounts: readonly LiveAccount[], venue: string, collateral: Usdc | null): Generator<Check> {
  const trading = accounts.filter(({ liveEnabled }) => liveEnabled);
  if (trading.length === 0) {
    yield missing(`No account with money of its own may trade with real money. ${HOW}`);
    return;
  }
  for (const { account, liveEnabled, balances } of accounts) {
    const own = cashByVenue(balances);
    if (liveEnabled || own.size === 0) continue;
    const money = [...own].map(([where, cash]) => `${formatMicro(cash)} USDC at ${where}`).join(' and ');
    yield warning(`${account} has ${money} and may not trade with real money. Did you mean another account?`);
  }
  const namesOf = (some: readonly LiveAccount[]) => some.map(({ account }) => account).join(', ');
  const free = trading.filter(({ effective }) => effective === 'active');
  const stopped = trading.filter(({ effective }) => effective !== 'active');
  const may =
    free.length === 0
      ? 'None may trade with real money now.'
      : `${free.length} may trade with real money: ${namesOf(free)}.`;
  const but = stopped.length === 0 ? '' : ` Enabled, but halted or reducing: ${namesOf(stopped)}.`;
  const all = cashByVenue(trading.flatMap(({ balances }) => balances));
  const cash = all.get(venue) ?? NO_USDC;
  const together = `Together they have ${formatMicro(cash)} USDC at ${venue}.`;
  yield ok(`${may}${but} ${together}`);
  for (const [where, there] of all) {
    if (where === venue) continue;
    const words = `At ${where} they have ${formatMicro(there)} USDC, which is not compared with any wallet here.`;
    yield warning(`${words} Is there a venue of this name?`);
  }
  if (collateral !== null && cash > collateral) {
    const words = `The wallet has ${formatMicro(collateral)} USDC at ${venue}, less than what is booked to them there.`;
    yield warning(`${words} Orders may be refused: withdraw with stakeport accounts withdraw, or fund the wallet.`);
  }
}

/** The venues where there is cash. */
function cashByVenue(balances: readonly Balance[]): ReadonlyMap<string, Usdc> {
  const cash = new Map<string, Usdc>();
  for (const { venue, cash: own } of balances) {
    if (venue !== null && own !== 0n) cash.set(venue, plus(cash.get(venue) ?? NO_USDC, own));
  }
  return cash;
}

function* halts(accounts: readonly LiveAccount[]): Generator<Check> {
  for (const { account, liveEnabled, effective, halt } of accounts) {
    if (halt === null) {
      if (liveEnabled && effective !== 'active')
        yield missing(
          `${account} is ${effective}. What stops it, and how that is lifted: stakeport accounts show ${account}.`,
        );
      continue;
    }
    const words = `${account} has been halted since ${momentShown(halt.at)} (${halt.code}: ${halt.message}).`;
    yield missing(`${words} Remove the cause, then: stakeport accounts release ${account}.`);
  }
}

function* unknown(orders: ReadonlyMap<string, number>): Generator<Check> {
  if (orders.size === 0) yield ok('The outcome of every order with real money is known.');
  else {
    const counts = [...orders].map(([venue, count]) => `${count} at ${venue}`).join(', ');
    const words = `Unknown orders, which the venue may or may not have: ${counts}.`;
    yield warning(`${words} A running server keeps looking for them.`);
  }
}

async function unknownByVenue(ledger: SqlLedger): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const read = (page: Page<OrderId>) => ledger.listVenueOrders({ paper: false, working: true }, page);
  for await (const orders of slices(read, ({ id }) => id)) {
    for (const { state, intent } of orders) {
      if (state === 'unknown') counts.set(intent.venue, (counts.get(intent.venue) ?? 0) + 1);
    }
  }
  return counts;
}
