/** The kinds of events by which somebody, or a program of theirs, changed the account: no order, no decision, no alarm. */
export const CHANGES: ReadonlySet<string> = new Set([
  ...['key.created', 'key.revoked', 'trading.state', 'losses.measured', 'approval.approved', 'approval.rejected'],
  ...['account.live_allowed', 'account.live_disallowed', 'account.halted', 'account.released'],
  ...['account.limits_changed', 'cash.deposited', 'cash.withdrawn', 'cash.redeemed', 'cash.reset'],
  ...['created', 'changed', 'paused', 'resumed', 'archived'].map((what) => `strategy.${what}`),
  ...['created', 'changed', 'verified', 'disabled', 'enabled', 'removed'].map((what) => `webhook.${what}`),
]);

/** So many events of the log are looked at for one page of the record: as many as the service looks at for one request. */
const WINDOW = 5000;

/** After which event the window begins that ends with this one. */
export const windowsBefore = (until: number): number => Math.max(0, until - WINDOW);
