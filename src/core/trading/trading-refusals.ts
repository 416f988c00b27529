import { DomainError } from '../domain-error.js';

/** The credential lacks the scope that setting this state needs; nothing was set. */
export class TradingScopeMissing extends DomainError {
  readonly code = 'trading_scope_missing';

  constructor(
    readonly scope: 'orders:cancel' | 'risk:write' | 'admin',
    why: string,
  ) {
    super(`${why} needs the scope ${scope}.`);
  }
}

/** A state that cannot be set: `member` says which value is wrong, and `words` go on after it. */
export class TradingStateInvalid extends DomainError {
  readonly code = 'trading_state_invalid';

  constructor(
    readonly member: 'scope' | 'until',
    readonly words: string,
  ) {
    super(`${member} ${words}.`);
  }
}

/** Why a state of trading cannot be set. */
export type TradingRefusal = TradingScopeMissing | TradingStateInvalid;

/** A limit would be raised, or taken away, by a credential that may only tighten. Nothing was changed. */
export class LooseningForbidden extends DomainError {
  readonly code = 'loosening_forbidden';

  /** `limits` are the names of those that would be loosened. */
  constructor(readonly limits: readonly string[]) {
    // As the API names them: daily_loss_usdc.
    const names = limits.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    super(`To raise a limit, or to take it away, needs the scope risk:write: ${names.join(', ')}.`);
  }
}
