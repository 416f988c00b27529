import { type ApiKey, isUsable } from '../../core/access/api-key.js';
import type { AccountId } from '../../core/ids.js';
import { whole } from '../../core/ledger/query.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Ledger } from '../../ports/ledger.js';
import { CommandFailed } from './command-failed.js';
import { EXIT } from './exit-codes.js';

/** The database belongs to authenticated users, and a server in dev mode would accept any caller as one of them. */
export class DatabaseIsGuarded extends CommandFailed {
  constructor(keys: number, accounts: readonly AccountId[]) {
    const holds = [
      ...(keys > 0 ? [counted(keys, 'API key', 'that can be used')] : []),
      ...(accounts.length > 0 ? [counted(accounts.length, 'account', 'enabled for live trading')] : []),
    ].join(' and ');
    super(
      `The database holds ${holds}, and AUTH_MODE=dev would trust every caller to be who they claim. Set AUTH_MODE to keys, jwt or keys+jwt, or DATABASE_URL to another database.`,
      EXIT.config,
    );
    this.name = 'DatabaseIsGuarded';
  }
}

/**
 * Keeps dev mode off a database in which credentials count.
 * @throws DatabaseIsGuarded when it holds API keys that can be used at `now`, or accounts enabled for live trading
 */
export async function refuseToBelieve(ledger: Ledger & KeyStore, now: Date): Promise<void> {
  const keys = await whole<ApiKey, string>(
    (page) => ledger.listKeys(page),
    ({ id }) => id,
  );
  const usable = keys.filter((key) => isUsable(key, now));
  const accounts = await whole<AccountId, AccountId>(
    (page) => ledger.listAccounts({ liveEnabled: true }, page),
    (account) => account,
  );
  if (usable.length > 0 || accounts.length > 0) throw new DatabaseIsGuarded(usable.length, accounts);
}

const counted = (count: number, noun: string, which: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'} ${which}`;
