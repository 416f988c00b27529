import { Command, InvalidArgumentError } from 'commander';
import { RandomKeyMaker } from '../adapters/auth/index.js';
import { systemClock } from '../adapters/system/system.js';
import type { ApiKey } from '../core/access/api-key.js';
import { AUTH_SCOPES, type AuthScope } from '../core/access/principal.js';
import { DomainError } from '../core/errors.js';
import type { AccountId } from '../core/ids.js';
import { ManageKeys } from '../core/usecases/manage-keys.js';
import { accountOption, accountsCommand } from './accounts.js';
import { type AuditOptions, audit } from './audit.js';
import { cancelAll } from './cancel-all.js';
import { doctor } from './doctor.js';
import { parseDuration } from './duration.js';
import { type ExternalOptions, external } from './external.js';
import { type RecordOptions, record } from './record.js';
import { redeemCommand } from './redemptions.js';
import { configOrExit, runServer } from './run.js';
import { settingsHelp } from './settings.js';
import { openStore } from './store.js';
import { VERSION } from './version.js';

interface CreateOptions {
  readonly account: AccountId;
  readonly scopes: readonly AuthScope[];
  readonly expires?: number;
  readonly json?: boolean;
}

const OPERATOR = 'operator' as AccountId;
const LIST_LIMIT = 100;
const AUDIT_EXITS = `
Exit code:
  0   everything holds
  1   something does not, or an account was too busy to tell
  2   the database failed on the way
  78  DATABASE_URL names no database that can be audited`;
const DOCTOR_EXITS = `
Exit code:
  0  nothing is missing
  1  something is, each told on a line of its own`;

/** The command line: `stakeport` serves, `stakeport keys …` manages API keys, `stakeport audit` checks the books. */
export function createProgram(): Command {
  const program = new Command('stakeport')
    .description('Strategies and orders on prediction-market exchanges, on paper or with real money.')
    .version(VERSION)
    .addHelpText('after', `\nThe environment configures the server:\n${settingsHelp()}`)
    .showHelpAfterError()
    .action(() => runServer());
  program
    .command('serve')
    .description('run the server (what stakeport does by itself)')
    .action(() => runServer());
  program
    .command('record')
    .description('record markets to a tape that MARKET_DATA=tape:PATH plays; ends with ^C')
    .requiredOption('--market <name...>', 'condition ids, slugs or numbers of the markets (required)')
    .requiredOption('--out <path>', 'the tape; goes on with one that is there; gzip when it ends in .gz (required)')
    .action((options: RecordOptions) => record(options));
  program
    .command('audit')
    .description('prove that the books of the database hold together, beside a running server too; changes nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', AUDIT_EXITS)
    .action((options: AuditOptions) => audit(options));
  program
    .command('external')
    .description('list the orders of the wallet that were not placed here, as far as they were seen')
    .option('--json', 'print JSON')
    .action((options: ExternalOptions) => external(options));
  program
    .command('doctor')
    .description('say what trading with real money still lacks; changes nothing, here or at the exchange')
    .addHelpText('after', DOCTOR_EXITS)
    .action(() => doctor());
  program
    .command('cancel-all')
    .description("cancel every order of the wallet at the exchange; needs the server's environment")
    .action(() => cancelAll());
  program.addCommand(keysCommand());
  program.addCommand(accountsCommand());
  program.addCommand(redeemCommand());
  return program;
}

function keysCommand(): Command {
  const keys = new Command('keys').description('create, list and revoke API keys; needs DATABASE_URL and KEY_PEPPER');
  keys
    .command('create')
    .description('create a key and print it, this once')
    .requiredOption('--account <name>', 'the account that the key acts for (required)', accountOption)
    .requiredOption('--scopes <list>', `comma-separated: ${AUTH_SCOPES.join(', ')} (required)`, scopesOption)
    .option('--expires <duration>', 'how long it is good for: 30s, 12h or 90d; for ever when absent', durationOption)
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => withKeys((manage) => create(manage, options)));
  keys
    .command('list')
    .description('list the keys of all accounts, newest first')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => withKeys((manage) => list(manage, json === true)));
  keys
    .command('revoke <id>')
    .description('revoke a key: it is refused from the next request on')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }) => withKeys((manage) => revoke(manage, id, json === true)));
  return keys;
}

async function create(manage: ManageKeys, { account, scopes, expires, json }: CreateOptions): Promise<void> {
  const { key, text } = await manage.create({
    by: OPERATOR,
    account,
    scopes,
    lifetimeMs: expires ?? null,
    idempotencyKey: null,
  });
  if (json) return print(JSON.stringify({ id: key.id, key: text, account, scopes }));
  print(`${text}\n\nThis is the only time that the key is shown. Its id is ${key.id}, ${ending(key)}.`);
}

async function list(manage: ManageKeys, json: boolean): Promise<void> {
  let after: string | undefined;
  const keys: ApiKey[] = [];
  do {
    const page = await manage.list({ limit: LIST_LIMIT, ...(after !== undefined && { after }) });
    keys.push(...page.items);
    after = page.next ?? undefined;
  } while (after !== undefined);
  if (json) return print(JSON.stringify(keys.map(({ digest: _, ...shown }) => shown)));
  print(
    keys.map((key) => [key.id, key.account, key.scopes.join(','), ending(key)].join('  ')).join('\n') ||
      'There are no keys.',
  );
}

async function revoke(manage: ManageKeys, id: string, json: boolean): Promise<void> {
  const { digest: _, ...shown } = await manage.revoke(id);
  print(json ? JSON.stringify(shown) : `Revoked ${id}.`);
}

async function withKeys(use: (manage: ManageKeys) => Promise<void>): Promise<void> {
  const config = configOrExit({ AUTH_MODE: 'keys', LIVE_TRADING: 'off' });
  if (config.database.kind === 'memory' || config.database.url === 'sqlite::memory:')
    return fail('Keys need a database that lasts: set DATABASE_URL.');
  if (config.auth.mode !== 'keys') return;
  try {
    const store = await openStore(config, false);
    const manage = new ManageKeys(store.ledger, store.ledger, new RandomKeyMaker(config.auth.pepper), systemClock);
    await use(manage).finally(() => store.close());
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    fail(error.message);
  }
}

function ending(key: ApiKey): string {
  if (key.revokedAt !== null) return `revoked ${key.revokedAt.toISOString()}`;
  return key.expiresAt === null ? 'never expires' : `expires ${key.expiresAt.toISOString()}`;
}

function durationOption(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It takes a duration.');
  }
}

function scopesOption(text: string): readonly AuthScope[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  const unknown = words.filter((word) => !AUTH_SCOPES.some((scope) => scope === word));
  if (unknown.length > 0) throw new InvalidArgumentError(`The scopes are ${AUTH_SCOPES.join(', ')}.`);
  return AUTH_SCOPES.filter((scope) => words.includes(scope));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
