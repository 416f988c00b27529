import { DomainError } from '../domain-error.js';

/**
 * What keeps a session from what risks more than before: its server lets pages do that to no real money, or the key was shown
 * too long ago. Stopping, reducing and cancelling are never kept from it.
 */
export type Restraint = 'ui_trading_off' | 'key_needed';

const DETAILS: Record<Restraint, string> = {
  ui_trading_off: 'What risks real money cannot be done by a session here: the server runs without UI_TRADING=on.',
  key_needed:
    'What risks more than before, or changes webhooks, needs the API key again: it was shown more than five minutes ago.',
};

/** A session asked for what only its key may do now. Nothing was changed. */
export class SessionRestrained extends DomainError {
  readonly code: Restraint;

  constructor(restraint: Restraint) {
    super(`${DETAILS[restraint]} Nothing was changed.`);
    this.code = restraint;
  }
}

/** Passes where nothing restrains the caller. @throws SessionRestrained */
export function checkUnrestrained(restraint: Restraint | undefined): void {
  if (restraint !== undefined) throw new SessionRestrained(restraint);
}

/** Passes unless the caller is a session whose key was shown too long ago. @throws SessionRestrained */
export function checkKeyShown({ needsKey = false }: { readonly needsKey?: boolean }): void {
  if (needsKey) throw new SessionRestrained('key_needed');
}
