/** A new session's secret: the text that its holder sends, and what is stored of it. */
export interface SessionSecret {
  /** 256 random bits in base64url. */
  readonly text: string;
  /** HMAC-SHA-256 of the text, hexadecimal. */
  readonly digest: string;
}

/** Makes and reads the secrets of sessions. */
export interface SessionSecrets {
  /** From a cryptographic random source. */
  issue(): SessionSecret;
  /** What is stored of this text; undefined where no session has such a text. */
  digestOf(text: string): string | undefined;
}
