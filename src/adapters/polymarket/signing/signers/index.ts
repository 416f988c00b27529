export { EnvironmentSigner } from './environment-signer.js';
export { KeyFileSigner } from './key-file-signer.js';
export type { SigningTerms } from './signing-terms.js';
