import { DomainError } from '../../../core/errors.js';

/** What kept an order or a login from being signed. */
export type SigningGuard =
  | 'chain'
  | 'wallet'
  | 'maker'
  | 'signer'
  | 'builder'
  | 'price'
  | 'notional'
  | 'field'
  | 'key'
  | 'signature';

/** Nothing was signed; `guard` says what stood against it. The message holds neither key nor signature. */
export class SigningRefused extends DomainError {
  readonly code = 'signing_refused';

  constructor(
    readonly guard: SigningGuard,
    message: string,
  ) {
    super(message);
  }
}
