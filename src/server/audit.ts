import type { SqlLedger } from '../adapters/sql/index.js';
import { sha256 } from '../adapters/system/system.js';
import type { Finding } from '../core/account/audit.js';
import { StorageUnavailable } from '../core/errors.js';
import { formatMicro } from '../core/money.js';
import { type AccountAudit, AuditBooks } from '../core/usecases/audit-books.js';
import { ALONE } from './alone.js';
import { EXIT } from './exit-codes.js';
import { configOrExit } from './run.js';
import { DatabaseSilent, openStandingStore, silenceIn } from './standing-store.js';

/** How findings are told. */
export interface AuditOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
}

const EXIT_WRONG = 1;
const EXIT_UNFINISHED = 2;

/**
 * Holds the books of the configured database against each other and changes nothing, beside a running server too. Exits
 * with 0 when everything holds, 1 when something does not or an account was too busy to tell, 2 when the database failed
 * on the way or does not answer, and 78 when there is none that can be audited.
 */
export async function audit({ json = false }: AuditOptions): Promise<void> {
  const { database } = configOrExit(ALONE);
  if (database.kind === 'memory' || database.url === 'sqlite::memory:')
    return fail('An audit needs a database that lasts: set DATABASE_URL.', EXIT.config);
  const ledger = await opened(database.url);
  if (ledger === null) return;
  try {
    const report = await reportOf(ledger, json ? () => {} : tell);
    process.stdout.write(json ? `${JSON.stringify(wireOf(report))}\n` : `${inWords(report)}\n`);
    if (report.wrong.length > 0) process.exitCode = EXIT_WRONG;
  } catch (error) {
    leaveIfSilent(error);
    fail(`The audit could not be finished. ${wordsOf(error)}`, EXIT_UNFINISHED);
  }
  await ledger.close();
}

/** What all accounts came to, and those whose books do not hold or could not be told. */
interface AuditReport {
  readonly accounts: number;
  readonly orders: number;
  readonly events: number;
  readonly entries: number;
  readonly wrong: readonly AccountAudit[];
}

/** Tells nothing of a file that changed while nobody was to have it open. */
async function reportOf(ledger: SqlLedger, each: (audited: AccountAudit) => void): Promise<AuditReport> {
  let report: AuditReport = { accounts: 0, orders: 0, events: 0, entries: 0, wrong: [] };
  for await (const audited of new AuditBooks(ledger, { digest: sha256 }).execute()) {
    const holds = audited.findings.length === 0 && !audited.busy;
    if (!holds) {
      await ledger.ping();
      each(audited);
    }
    report = {
      accounts: report.accounts + 1,
      orders: report.orders + audited.orders,
      events: report.events + audited.events,
      entries: report.entries + audited.entries,
      wrong: holds ? report.wrong : [...report.wrong, audited],
    };
  }
  await ledger.ping();
  return report;
}

function tell(audited: AccountAudit): void {
  const busy = audited.busy
    ? ['Busy, not audited: its money moved at every look. Audit it again in a quieter moment.']
    : [];
  const sentences = [...audited.findings.map(({ message }) => message), ...busy];
  process.stdout.write(`${nameOf(audited)}\n${sentences.map((sentence) => `  ${sentence}\n`).join('')}`);
}

function inWords({ accounts, orders, events, entries, wrong }: AuditReport): string {
  const seen = `Looked at: accounts ${accounts}, orders ${orders}, events ${events}, journal entries ${entries}.`;
  if (wrong.length === 0) return `The books hold. ${seen}`;
  const findings = wrong.flatMap((audited) => audited.findings).length;
  const verdict = findings > 0 ? 'The books do not hold' : 'The books could not be proved';
  return `${verdict}: findings ${findings}, busy accounts ${wrong.filter(({ busy }) => busy).length}. ${seen}`;
}

function wireOf({ wrong, ...counts }: AuditReport): object {
  const accountOf = ({ account, paper }: AccountAudit) => ({ account, paper });
  return {
    holds: wrong.length === 0,
    ...counts,
    findings: wrong.flatMap((audited) => audited.findings.map((one) => ({ ...accountOf(audited), ...shown(one) }))),
    busy: wrong.filter(({ busy }) => busy).map(accountOf),
  };
}

/** Amounts as decimal strings, as everywhere at the edge. */
function shown({ found, expected, ...rest }: Finding): object {
  const decimal = (amount: bigint | null) => (amount === null ? null : formatMicro(amount));
  return { ...rest, found: decimal(found), expected: decimal(expected) };
}

const nameOf = ({ account, paper }: AccountAudit): string => `${account}, ${paper ? 'paper' : 'live'}:`;

async function opened(url: string): Promise<SqlLedger | null> {
  try {
    return await openStandingStore(url);
  } catch (error) {
    leaveIfSilent(error);
    fail(`DATABASE_URL names no database that can be audited. ${wordsOf(error)}`, EXIT.config);
    return null;
  }
}

/** At once: a connection that does not answer could not be closed either, and nothing was changed. */
function leaveIfSilent(error: unknown): void {
  const why = silenceIn(error);
  if (!(why instanceof DatabaseSilent)) return;
  fail(why.message, EXIT_UNFINISHED);
  process.exit();
}

/** The cause tells what happened; what stands before it is for callers of the API. */
function wordsOf(error: unknown): string {
  const told = error instanceof StorageUnavailable && error.cause instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}

function fail(message: string, code: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
