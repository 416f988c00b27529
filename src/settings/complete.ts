/** The parts of a whole, as far as they could be read. */
export type Maybe<T> = { readonly [Part in keyof T]: T[Part] | undefined };

/** The whole, when no part of it is missing. */
export function complete<T extends object>(parts: Maybe<T>): T | undefined {
  return Object.values(parts).every((part) => part !== undefined) ? (parts as T) : undefined;
}
