import { openSqlLedger } from '../dist/adapters/sql/index.js';
import { type AccountId, AUTH_SCOPES, keyUseCases } from '../dist/core.js';
import { RandomKeyMaker } from '../dist/http.js';
import { systemClock } from '../dist/memory.js';

const ACCOUNT = 'bench' as AccountId;
const PEPPER = 'a pepper for the bench alone';

/** What a server needs to check the keys of `createKey`. */
export const WITH_KEYS = { AUTH_MODE: 'keys', KEY_PEPPER: PEPPER };

/** Makes an API key in a database that no server has open yet; returns the headers that carry it. */
export async function createKey(url: string): Promise<Readonly<Record<string, string>>> {
  const ledger = await openSqlLedger(url);
  const ports = { ledger, wallClock: systemClock };
  const keys = keyUseCases(ports, { keys: ledger, keyMaker: new RandomKeyMaker(PEPPER) });
  const command = { by: ACCOUNT, account: ACCOUNT, scopes: AUTH_SCOPES, lifetimeMs: null, idempotencyKey: null };
  const { text } = await keys.create(command);
  await ledger.close();
  if (text === null) throw new Error('the key was not made');
  return { authorization: `Bearer ${text}` };
}
