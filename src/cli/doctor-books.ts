import type { SqlLedger } from '../adapters/sql/index.js';
import { systemClock, uuidV7 } from '../adapters/system/system.js';
import type { OrderId } from '../core/ids.js';
import { type Page, slices } from '../core/ledger/query.js';
import { formatMicro, type Usdc } from '../core/money.js';
import { type LiveAccount, ManageAccounts } from '../core/usecases/accounts/manage-accounts.js';
import type { Check } from '../ports/check.js';
import type { VenueWallet } from '../ports/venue-wallet.js';
import { otherWallet } from '../server/background/other-wallet.js';
import { failureOf } from '../server/failures/failure.js';
import type { DatabaseChoice } from '../server/settings/values.js';
import { openStandingStore } from '../server/wiring/standing-store.js';
import { missing, ok, warning } from '../settings/check.js';

const HOW = 'Run: stakeport accounts enable-live NAME, and stakeport accounts deposit NAME USDC.';

/**
 * Checks the accounts that trade with real money against the wallet; null where its key cannot be read. `collateral` is what
 * it has at the exchange; null where that is not known.
 */
export async function* examineBooks(
  database: DatabaseChoice,
  wallet: VenueWallet | null,
  collateral: Usdc | null,
): AsyncGenerator<Check> {
  if (database.kind === 'memory') return;
  let ledger: SqlLedger | undefined;
  try {
    ledger = await openStandingStore(database.url);
    const accounts = await new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 }).list();
    const foreign = wallet && (await otherWallet(ledger, wallet));
    if (foreign !== null) yield missing(foreign);
    yield* enabled(accounts, collateral);
    yield* halts(accounts);
    yield* unknown(await countUnknown(ledger));
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    yield missing(`The accounts cannot be read. ${failure.message}`);
    // Not closed: a failing database would not close either, and the process is about to end.
    return;
  }
  await ledger.close();
}

function* enabled(accounts: readonly LiveAccount[], collateral: Usdc | null): Generator<Check> {
  const trading = accounts.filter(({ liveEnabled }) => liveEnabled);
  const cash = trading.reduce((total, { balance }) => total + balance.cash, 0n) as Usdc;
  if (trading.length === 0) {
    yield missing(`No account with money of its own may trade with real money. ${HOW}`);
    return;
  }
  for (const { account, liveEnabled, balance } of accounts) {
    if (liveEnabled || balance.cash === 0n) continue;
    yield warning(
      `${account} has ${formatMicro(balance.cash)} USDC and may not trade with real money. Did you mean another account?`,
    );
  }
  const names = trading.map(({ account }) => account).join(', ');
  yield ok(`${trading.length} may trade with real money: ${names}. Together they have ${formatMicro(cash)} USDC.`);
  if (collateral !== null && cash > collateral) {
    const words = `The wallet has ${formatMicro(collateral)} USDC, less than what is booked to them.`;
    yield warning(`${words} Orders may be refused: withdraw with stakeport accounts withdraw, or fund the wallet.`);
  }
}

function* halts(accounts: readonly LiveAccount[]): Generator<Check> {
  for (const { account, halt } of accounts) {
    if (halt === null) continue;
    const words = `${account} has been halted since ${halt.at.toISOString()} (${halt.code}: ${halt.message}).`;
    yield missing(`${words} Remove the cause, then: stakeport accounts release ${account}.`);
  }
}

function* unknown(orders: number): Generator<Check> {
  if (orders === 0) yield ok('The outcome of every order with real money is known.');
  else
    yield warning(
      `Unknown orders, which the exchange may or may not have: ${orders}. A running server keeps looking for them.`,
    );
}

async function countUnknown(ledger: SqlLedger): Promise<number> {
  let count = 0;
  const read = (page: Page<OrderId>) => ledger.listVenueOrders({ paper: false, working: true }, page);
  for await (const orders of slices(read, ({ id }) => id)) {
    count += orders.filter(({ state }) => state === 'unknown').length;
  }
  return count;
}
