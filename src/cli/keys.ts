import { Command, InvalidArgumentError } from 'commander';
import { parseApiKey } from '../adapters/auth/api-key-authenticator.js';
import { RandomKeyMaker } from '../adapters/auth/random-secrets.js';
import { systemClock } from '../adapters/system/system.js';
import type { ApiKey } from '../core/access/api-key.js';
import { AUTH_SCOPES, type AuthScope } from '../core/access/principal.js';
import { placeOf } from '../core/endpoint/destination.js';
import { KeyNotFound } from '../core/errors.js';
import { type AccountId, shortId } from '../core/ids.js';
import { whole } from '../core/ledger/query.js';
import { keyRevocation, keyUseCases } from '../core/usecases/compose.js';
import type { KeyMaker, KeyStore } from '../ports/key-store.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { configuredAlone } from '../server/settings/configured.js';
import { parseDuration } from '../server/settings/duration.js';
import { isEnding, onlyOne } from './api/known-id.js';
import { momentShown } from './api/output/shown.js';
import { accountOption, JSON_OPTION } from './command-options.js';
import { GROUP_HEADS } from './group-heads.js';
import { operatorOn } from './operator.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

interface CreateOptions {
  readonly account: AccountId;
  readonly scopes: readonly AuthScope[];
  readonly expires?: number;
  readonly json?: boolean;
}

interface RevokeOptions {
  readonly keepWebhooks?: boolean;
  readonly json?: boolean;
}

const OPERATOR = 'operator' as AccountId;

/** `stakeport keys …`: creates, lists and revokes API keys. */
export function keysCommand(): Command {
  const keys = new Command('keys').description(GROUP_HEADS.keys.means);
  keys
    .command('create')
    .description('create a key and print it, this once; needs the same KEY_PEPPER as the server')
    .requiredOption(
      '--account <name>',
      'the account that the key acts for; it need not exist yet (required)',
      accountOption,
    )
    .requiredOption(
      '--scopes <list>',
      `what it may do, separated by commas: ${AUTH_SCOPES.join(', ')} (required)`,
      scopesOption,
    )
    .option('--expires <duration>', 'how long it is valid: 30m, 12h or 90d; for ever when absent', durationOption)
    .option(...JSON_OPTION)
    .action(create);
  keys
    .command('list')
    .description('list the keys of all accounts, newest first, without their secrets')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: boolean }) => list(json === true));
  keys
    .command('revoke')
    .argument('<id>', 'the id of the key, or its last 8 characters as keys list shows them, or the key itself', keyId)
    .description(
      'revoke a key for good: it is refused from the next request on, and the webhooks that it made are disabled',
    )
    .option('--keep-webhooks', 'leave the webhooks that it made as they are')
    .option(...JSON_OPTION)
    .action(revoke);
  return keys;
}

async function create({ account, scopes, expires, json }: CreateOptions): Promise<void> {
  const maker = keyMaker();
  await withLedger('make', async (ledger) => {
    const closest = await operatorOn(ledger).manage.closest(account);
    const keys = keyUseCases({ ledger, wallClock: systemClock }, { keys: ledger, keyMaker: maker });
    const lifetimeMs = expires ?? null;
    const { key, text } = await keys.create({ by: OPERATOR, account, scopes, lifetimeMs, idempotencyKey: null });
    if (json) printJson({ key: text, ...shown(key) });
    else print(`${text}\n\nThe key is shown only this once. Its id is ${key.id}, ${ending(key)}.`);
    if (closest === undefined) return;
    const undo = `If not, run: stakeport keys revoke ${shortId(key.id)}`;
    process.stderr.write(
      `Note: ${account} is a new account, and there is one named ${closest}. Is the new one right? ${undo}\n`,
    );
  });
}

async function list(json: boolean): Promise<void> {
  const keys = await withLedger('read', allKeys);
  if (json) return printJson(keys.map(shown));
  const lines = keys.map((key) => [shortId(key.id), key.account, key.scopes.join(','), ending(key)].join('  '));
  print(lines.join('\n') || 'No keys.');
}

const allKeys = (ledger: KeyStore): Promise<readonly ApiKey[]> =>
  whole<ApiKey, string>(
    (page) => ledger.listKeys(page),
    ({ id }) => id,
  );

async function knownKey(ledger: KeyStore, text: string): Promise<string> {
  if (!isEnding(text)) return text;
  const found = (await allKeys(ledger)).filter(({ id }) => id.endsWith(text.toLowerCase()));
  return onlyOne(found, text, (key) => `of ${key.account}, ${ending(key)}`)?.id ?? text;
}

async function revoke(id: string, { json, keepWebhooks }: RevokeOptions): Promise<void> {
  const revoked = await withLedger('change', async (ledger) => {
    const key = await knownKey(ledger, id);
    return keyRevocation({ ledger, wallClock: systemClock }, ledger)(key, keepWebhooks === true ? 'keep' : 'disable');
  }).catch((error: unknown) => {
    if (!(error instanceof KeyNotFound)) throw error;
    throw new CommandFailed(`No key ${id}: stakeport keys list shows all keys.`, EXIT.no);
  });
  const { key, webhooks } = revoked;
  const made = webhooks.map(({ id, target, state }) => ({ id, to: placeOf(target), state }));
  if (json === true) return printJson({ ...shown(key), webhooks: made });
  const lines = made.map(({ id, to, state }) => `The webhook ${shortId(id)} to ${to}, which it made, is ${state}.`);
  print([`Revoked ${shortId(key.id)}, a key of ${key.account}.`, ...lines].join('\n'));
}

/** @throws CommandFailed, ConfigInvalid */
function keyMaker(): KeyMaker {
  const pepper = process.env['KEY_PEPPER'] ?? '';
  configuredAlone('KEY_PEPPER');
  if (pepper.trim() !== '') return new RandomKeyMaker(pepper);
  const words = 'KEY_PEPPER is needed to create a key: at least 16 characters, the same as on the server.';
  throw new CommandFailed(words, EXIT.config);
}

/** A leaked key is usually at hand as a whole; its secret is not printed again. */
const keyId = (text: string): string => parseApiKey(text)?.id ?? text;

const shown = ({ digest: _, ...key }: ApiKey): Omit<ApiKey, 'digest'> => key;

function ending(key: ApiKey): string {
  if (key.revokedAt !== null) return `revoked ${momentShown(key.revokedAt)}`;
  return key.expiresAt === null ? 'never expires' : `expires ${momentShown(key.expiresAt)}`;
}

function durationOption(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `It ${error.message}.` : 'It takes a duration.');
  }
}

function scopesOption(text: string): readonly AuthScope[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  const unknown = words.filter((word) => !AUTH_SCOPES.some((scope) => scope === word));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${AUTH_SCOPES.join(', ')}.`);
  return AUTH_SCOPES.filter((scope) => words.includes(scope));
}
