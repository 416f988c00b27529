import { randomBytes } from 'node:crypto';

/** Names this process among all that ever write to a database, and each of its groups. */
export class WriterName {
  readonly name = randomBytes(12).toString('base64url');
  #number = 0;

  /** The next group's number, which grows, and the version that accounts have after it: no other one has the same. */
  next(): readonly [number: number, version: string] {
    this.#number += 1;
    return [this.#number, `${this.name}.${this.#number}`];
  }
}
