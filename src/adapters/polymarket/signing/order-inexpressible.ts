import { DomainError } from '../../../core/errors.js';

/** The venue's ticks and decimals cannot express this order; the message says which rule prevents it, and the remedy. */
export class OrderInexpressible extends DomainError {
  readonly code = 'order_inexpressible';

  constructor(
    readonly rule: 'tick' | 'price' | 'decimals',
    message: string,
  ) {
    super(message);
  }
}
