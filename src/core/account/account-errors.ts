import { DomainError } from '../domain-error.js';

/** There is no account of that name; `closest` may be meant. Nothing was done. */
export class AccountNotFound extends DomainError {
  readonly code = 'account_not_found';

  constructor(account: string, closest = '') {
    super(`There is no account ${account}.${closest === '' ? '' : ` Is ${closest} meant?`} Nothing was done.`);
  }
}

/** An account that has never traded on paper has nothing to reset. */
export class PaperAccountNotFound extends DomainError {
  readonly code = 'paper_account_not_found';

  constructor() {
    super('No paper account of that name has traded yet.');
  }
}

/** The paper account still has working orders that could not be cancelled yet; nothing was reset. */
export class AccountBusy extends DomainError {
  readonly code = 'account_busy';

  constructor(message = 'Orders of this account are still working. Repeat the reset when they are cancelled.') {
    super(message);
  }
}

/** Every refusal that is about an account as a whole. */
export type AccountRefusal = AccountNotFound | PaperAccountNotFound | AccountBusy;
