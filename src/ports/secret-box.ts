/** Keeps secrets so that whoever has only the store does not have them. */
export interface SecretBox {
  /** A new secret to sign with: `whsec_` and 256 random bits in base64. */
  fresh(): string;
  /** The secret as it may be stored; another text each time. */
  seal(secret: string): string;
  /** @throws SecretUnreadable when it was sealed with another key, or changed since */
  open(sealed: string): string;
}
