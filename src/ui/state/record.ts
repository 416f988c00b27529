/** The kinds of events by which a person or their program changed the account: no order, no decision, no alarm. */
export const CHANGES: ReadonlySet<string> = new Set([
  'key.created',
  'key.revoked',
  'trading.state',
  'losses.measured',
  'approval.approved',
  'approval.rejected',
  'account.live_allowed',
  'account.live_disallowed',
  'account.halted',
  'account.released',
  'account.limits_changed',
  'cash.deposited',
  'cash.withdrawn',
  'cash.redeemed',
  'cash.reset',
  ...['created', 'changed', 'paused', 'resumed', 'archived'].map((what) => `strategy.${what}`),
  ...['created', 'changed', 'verified', 'disabled', 'enabled', 'removed'].map((what) => `webhook.${what}`),
]);

/** How many events of the log are read for one page of the record: as many as the service reads for one request. */
const WINDOW = 5000;

/** A page of the log, oldest first. */
export interface LogPage<Row> {
  readonly data: readonly Row[];
  readonly next_after: string;
}

/** One window of the record, newest first. */
export interface RecordWindow<Row> {
  readonly rows: readonly Row[];
  /** Where the window before it ends; 0 where there is none. */
  readonly next: number;
}

/**
 * The rows of the window that ends with the event `until`. `read` answers the rows after an event, or null where the log keeps
 * what follows it no more; asked without an event it begins with the oldest that is kept.
 */
export async function windowBefore<Row extends { readonly seq: string }>(
  until: number,
  read: (after: number | null) => Promise<LogPage<Row> | null>,
): Promise<RecordWindow<Row>> {
  const begins = Math.max(0, until - WINDOW);
  const rows: Row[] = [];
  let page = await read(begins);
  const isCut = page === null;
  page ??= await read(null);
  while (page !== null) {
    rows.push(...page.data.filter(({ seq }) => Number(seq) <= until));
    const after = Number(page.next_after);
    page = after < until ? await read(after) : null;
  }
  return { rows: rows.reverse(), next: isCut ? 0 : begins };
}
