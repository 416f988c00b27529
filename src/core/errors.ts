import { DomainError } from './domain-error.js';

export { DomainError };

/** A text is not an exact amount: a plain decimal below 1 000 000 000 with at most six decimals. */
export class AmountMalformed extends DomainError {
  readonly code = 'amount_malformed';

  constructor(message = 'must be a plain decimal from 0 to below 1000000000, with at most 6 decimals, such as 0.57') {
    super(message);
  }
}

/** A rule set contradicts itself; `member` says where. */
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

/** The request is not a valid order; nothing was put on record. `member` is the faulty member of `OrderDraft`. */
export class OrderInvalid extends DomainError {
  readonly code = 'order_invalid';

  /** `words` go on after the member: `must be …`. */
  constructor(
    readonly member: string,
    readonly words: string,
  ) {
    super(`The order cannot be placed: ${member} ${words}.`);
  }
}

/** A strategy is absent, archived, or belongs to another account; the error does not say which. */
export class StrategyNotFound extends DomainError {
  readonly code = 'strategy_not_found';

  constructor() {
    super('There is no such strategy.');
  }
}

/** An order is absent or belongs to another account; the error does not say which. */
export class OrderNotFound extends DomainError {
  readonly code = 'order_not_found';

  constructor() {
    super('There is no such order.');
  }
}

/** An API key is absent. */
export class KeyNotFound extends DomainError {
  readonly code = 'key_not_found';

  constructor() {
    super('There is no such key.');
  }
}

/** The venue has no such market; nothing was put on record. */
export class MarketNotFound extends DomainError {
  readonly code = 'market_not_found';
  readonly marketId: string;

  constructor(marketId: string, words = 'The venue has no market with this id.') {
    super(words);
    this.marketId = marketId;
  }
}

/** The venue has the market, but its data do not allow trading; `reason` is snake_case. Nothing was put on record. */
export class MarketUnusable extends DomainError {
  readonly code = 'market_unusable';

  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** The source of market data does not answer now; nothing was put on record, and the request may be repeated. */
export class MarketDataUnavailable extends DomainError {
  readonly code = 'market_data_unavailable';

  constructor(message = 'The source of market data does not answer. Repeat the request in a moment.') {
    super(message);
  }
}

/** As many reads of the venue wait for the account as may; nothing was put on record, and the request may be repeated after `retryInMs`. */
export class TooManyLookups extends DomainError {
  readonly code = 'too_many_lookups';

  constructor(readonly retryInMs: number) {
    super(
      'Too many reads of the venue already wait for this account. Repeat the request later, and ask for less at once.',
    );
  }
}

/** An account would follow more markets than it may; it may close a stream, or ask for fewer. */
export class TooManyMarkets extends DomainError {
  readonly code = 'too_many_markets';

  constructor(most: number) {
    super(`The account may bring ${most} markets to follow now, beside those that others follow already.`);
  }
}

/** The venue takes no live orders now; nothing was put on record, and the request may be repeated after `retryInMs`. */
export class ExchangeUnavailable extends DomainError {
  readonly code = 'exchange_unavailable';

  constructor(readonly retryInMs: number) {
    super('The venue does not answer or limits requests, so no live order was sent. Repeat the request later.');
  }
}

/** Another server runs paper trading on this database, or none does yet; nothing is on record. It may be repeated. */
export class PaperElsewhere extends DomainError {
  readonly code = 'paper_elsewhere';

  constructor() {
    super('Another server takes the paper orders, or is about to. Nothing was done: repeat the request in a moment.');
  }
}

/** A change was made against a version other than `actual`; nothing was changed. */
export class VersionMismatch extends DomainError {
  readonly code = 'version_mismatch';

  constructor(readonly actual: number) {
    super('The strategy has changed since you read it. Read it again and repeat the change with the new ETag.');
  }
}

/** An idempotency key was reused for a different request; nothing was done. */
export class IdempotencyKeyReused extends DomainError {
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for a different request. Use a new key for a new request.');
  }
}

/** The first request with an idempotency key has no result yet; repeating it later gives that result. */
export class IdempotencyInProgress extends DomainError {
  readonly code = 'idempotency_in_progress';

  constructor() {
    super('The first request with this Idempotency-Key is still running. Repeat it in a moment to read its result.');
  }
}

/** A live order lacks one of its permissions; nothing was put on record and nothing was sent. */
export class LiveTradingNotEnabled extends DomainError {
  readonly code = 'live_trading_not_enabled';

  constructor(missing: string) {
    super(`No live order was sent: ${missing}`);
  }
}

/** An order has nothing left to cancel, or its venue has not answered for it yet. */
export class OrderNotCancellable extends DomainError {
  readonly code = 'order_not_cancellable';

  constructor(status: string) {
    super(`An order that is ${status} cannot be cancelled.`);
  }
}

/** A step that the order's lifecycle does not allow; always a fault of the caller or a venue, never of a request. */
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
