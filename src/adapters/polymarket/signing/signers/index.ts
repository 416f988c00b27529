export type { CheckedSigner } from './checked-signer.js';
export { EnvironmentSigner } from './environment-signer.js';
export { KeyFileSigner } from './key-file-signer.js';
export type { SigningTerms } from './signing-terms.js';
