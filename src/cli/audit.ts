import type { AccountAudit } from '../core/usecases/accounts/audit-books.js';
import type { Ledger } from '../ports/ledger.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { agreesWith, comparedWith, comparisonInWords, comparisonWire, openedToCompare } from './audit-venue.js';
import { operatorOn } from './operator.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** How findings are printed, and what else is compared. */
export interface AuditOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
  /** The venue whose net positions and cash are compared with the books; none is asked where it is absent. */
  readonly venue?: string;
}

/**
 * Cross-checks the books of the configured database, and on request also with a venue, and changes nothing; also beside a running
 * server. Exits with 0 when everything holds, 1 when something does not or an account was too busy to audit, 2 when the database failed
 * midway or the venue leaves it open, 69 when one of them does not answer at first, and 78 when there is none that can be audited.
 */
export async function audit({ json = false, venue: named }: AuditOptions): Promise<void> {
  const venue = named === undefined ? null : await openedToCompare(named);
  try {
    const { report, compared } = await withLedger('read', async (ledger) => ({
      report: await finished(reportOf(ledger, json ? () => {} : printAccount)),
      compared: venue && (await finished(comparedWith(ledger, venue))),
    }));
    if (json) printJson({ ...wireOf(report), ...(compared && { venue: comparisonWire(compared) }) });
    else print([inWords(report), ...(compared === null ? [] : [comparisonInWords(compared)])].join('\n'));
    const agrees = compared === null || agreesWith(compared);
    if (report.wrong.length > 0 || agrees === false) process.exitCode = EXIT.no;
    else if (agrees === null) process.exitCode = EXIT.unfinished;
  } finally {
    await venue?.close();
  }
}

/** @throws CommandFailed when the database failed midway */
async function finished<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
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
