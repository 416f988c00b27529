import { DomainError } from '../domain-error.js';
import type { VenueName } from '../ids.js';
import { isDemo } from '../market/market.js';

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

/** An account has real money or play money of a venue's demo, and never both: nothing adds the one to the other. Nothing was done. */
export class MoneyMixed extends DomainError {
  readonly code = 'money_mixed';

  constructor(account: string, venue: VenueName, other: VenueName) {
    const [has, wanted] = isDemo(venue) ? ['real money', 'play money'] : ['play money', 'real money'];
    super(`${account} has ${has} at ${other}. Give the ${wanted} of ${venue} to another account. Nothing was done.`);
  }
}

/** Every refusal that is about an account as a whole. */
export type AccountRefusal = AccountNotFound | PaperAccountNotFound | AccountBusy | MoneyMixed;
