import { DomainError } from '../../../core/errors.js';

/** The reason why an order or a login was not signed. */
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

/** Nothing was signed; `guard` is the check that failed. The message holds neither key nor signature. */
export class SigningRefused extends DomainError {
  readonly code = 'signing_refused';

  constructor(
    readonly guard: SigningGuard,
    message: string,
  ) {
    super(message);
  }
}
