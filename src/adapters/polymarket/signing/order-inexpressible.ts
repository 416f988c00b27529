import { DomainError } from '../../../core/errors.js';

/** The venue's ticks and decimals leave no way to say this order; the message says which rule, and what can be done. */
export class OrderInexpressible extends DomainError {
  readonly code = 'order_inexpressible';

  constructor(
    readonly rule: 'tick' | 'price' | 'decimals',
    message: string,
  ) {
    super(message);
  }
}
