/** A new secret: the text shown to its owner once, and what is stored of it. */
export interface IssuedSecret {
  readonly id: string;
  /** `sp_<id>_<secret>`, 256 random bits in the secret. */
  readonly text: string;
  /** HMAC-SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
}

/** Makes API key secrets from a cryptographic random source. */
export interface KeyMaker {
  issue(): IssuedSecret;
}
