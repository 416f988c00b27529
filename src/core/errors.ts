/** A request that the domain refuses. `code` is stable; the message is for people and holds no secret. */
export abstract class DomainError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

export class AmountMalformed extends DomainError {
  readonly code = 'amount_malformed';

  constructor(message = 'must be a plain decimal below 1000000000 with at most 6 decimals, such as 0.57') {
    super(message);
  }
}

export class RulesInvalid extends DomainError {
  readonly code = 'rules_invalid';

  /** `member` is the path inside the rules, such as `filter/min_odds`. */
  constructor(
    readonly member: string,
    message: string,
  ) {
    super(message);
  }
}

export class StrategyNotFound extends DomainError {
  readonly code = 'strategy_not_found';

  constructor() {
    super('There is no such strategy.');
  }
}

export class OrderNotFound extends DomainError {
  readonly code = 'order_not_found';

  constructor() {
    super('There is no such order.');
  }
}

export class KeyNotFound extends DomainError {
  readonly code = 'key_not_found';

  constructor() {
    super('There is no such key.');
  }
}

export class MarketNotFound extends DomainError {
  readonly code = 'market_not_found';

  constructor(readonly marketId: string) {
    super('The exchange knows no market with this id.');
  }
}

export class VersionMismatch extends DomainError {
  readonly code = 'version_mismatch';

  constructor(readonly actual: number) {
    super('The strategy has changed since you read it. Read it again and repeat the change with the new ETag.');
  }
}

export class IdempotencyKeyReused extends DomainError {
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for a different request. Use a new key for a new request.');
  }
}

export class IdempotencyInProgress extends DomainError {
  readonly code = 'idempotency_in_progress';

  constructor() {
    super('The first request with this Idempotency-Key is still running. Repeat it in a moment to read its result.');
  }
}

export class LiveTradingNotEnabled extends DomainError {
  readonly code = 'live_trading_not_enabled';

  constructor(missing: string) {
    super(`No live order was sent: ${missing}`);
  }
}

export class OrderNotCancellable extends DomainError {
  readonly code = 'order_not_cancellable';

  constructor(status: string) {
    super(`An order that is ${status} cannot be cancelled.`);
  }
}

/** A step that the order's lifecycle does not know; always a fault in the caller or a venue, never in a request. */
export class TransitionForbidden extends DomainError {
  readonly code = 'transition_forbidden';

  constructor(from: string, event: string) {
    super(`an order that is ${from} cannot take the event ${event}`);
  }
}

/** A stored or computed record that breaks one of its invariants; nothing is written when this is thrown. */
export class InvariantBroken extends DomainError {
  readonly code = 'invariant_broken';

  constructor(rule: string) {
    super(`invariant broken: ${rule}`);
  }
}

/** Storage cannot answer now; nothing is known to have been written, and the request may be repeated with its key. */
export class StorageUnavailable extends DomainError {
  readonly code = 'storage_unavailable';

  constructor(message = 'Storage does not answer. Repeat the request with the same Idempotency-Key.') {
    super(message);
  }
}

export type AnyDomainError =
  | AmountMalformed
  | RulesInvalid
  | StrategyNotFound
  | OrderNotFound
  | KeyNotFound
  | MarketNotFound
  | VersionMismatch
  | IdempotencyKeyReused
  | IdempotencyInProgress
  | LiveTradingNotEnabled
  | OrderNotCancellable
  | TransitionForbidden
  | InvariantBroken
  | StorageUnavailable;

/** Every code that a `DomainError` can carry. */
export type ErrorCode = AnyDomainError['code'];
