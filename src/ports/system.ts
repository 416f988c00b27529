/** The moment now. The core never asks the machine. */
export interface Clock {
  now(): Date;
}

/** Makes UUIDv7 identifiers, each greater than the one before. */
export interface Ids {
  next(): string;
}

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export type Digest = (text: string) => string;
