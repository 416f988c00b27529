import type { AccountAudit } from '../core/usecases/accounts/audit-books.js';
import type { Ledger } from '../ports/ledger.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { operatorOn } from './operator.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** How findings are printed. */
export interface AuditOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
}

/**
 * Cross-checks the books of the configured database and changes nothing; also beside a running server. Exits with 0 when
 * everything holds, 1 when something does not or an account was too busy to audit, 2 when the database failed midway, 69
 * when it does not answer, and 78 when there is none that can be audited.
 */
export async function audit({ json = false }: AuditOptions): Promise<void> {
  const report = await withLedger('read', (ledger) => finished(reportOf(ledger, json ? () => {} : printAccount)));
  if (json) printJson(wireOf(report));
  else print(inWords(report));
  if (report.wrong.length > 0) process.exitCode = EXIT.no;
}

/** @throws CommandFailed when the database failed midway */
async function finished(report: Promise<AuditReport>): Promise<AuditReport> {
  try {
    return await report;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`The audit could not be finished. ${failure.message}`, EXIT.unfinished, error);
  }
}

/** The totals of all accounts, and the accounts whose books do not hold or could not be audited. */
interface AuditReport {
  readonly accounts: number;
  readonly orders: number;
  readonly events: number;
  readonly entries: number;
  readonly wrong: readonly AccountAudit[];
}

/** Reports nothing about a file that changed while no other program should have had it open. */
async function reportOf(ledger: Ledger, each: (audited: AccountAudit) => void): Promise<AuditReport> {
  let report: AuditReport = { accounts: 0, orders: 0, events: 0, entries: 0, wrong: [] };
  for await (const audited of operatorOn(ledger).audit.execute()) {
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

function printAccount(audited: AccountAudit): void {
  const busy = audited.busy
    ? ['Busy, not audited: its money moved during every attempt. Audit it again at a quieter time.']
    : [];
  const sentences = [...audited.findings.map(({ message }) => message), ...busy];
  process.stdout.write(`${nameOf(audited)}\n${sentences.map((sentence) => `  ${sentence}\n`).join('')}`);
}

function inWords({ accounts, orders, events, entries, wrong }: AuditReport): string {
  const checked = `Checked: accounts ${accounts}, orders ${orders}, events ${events}, journal entries ${entries}.`;
  if (wrong.length === 0) return `The books hold. ${checked}`;
  const findings = wrong.flatMap((audited) => audited.findings).length;
  const verdict = findings > 0 ? 'The books do not hold' : 'The books could not be verified';
  return `${verdict}: findings ${findings}, busy accounts ${wrong.filter(({ busy }) => busy).length}. ${checked}`;
}

function wireOf({ wrong, ...counts }: AuditReport): object {
  const accountOf = ({ account, paper }: AccountAudit) => ({ account, paper });
  return {
    holds: wrong.length === 0,
    ...counts,
    findings: wrong.flatMap((audited) => audited.findings.map((one) => ({ ...accountOf(audited), ...one }))),
    busy: wrong.filter(({ busy }) => busy).map(accountOf),
  };
}

const nameOf = ({ account, paper }: AccountAudit): string => `${account}, ${paper ? 'paper' : 'live'}:`;
