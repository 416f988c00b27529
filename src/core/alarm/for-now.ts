/** How long what a server says of itself counts after it was last told. */
const LASTS_MS = 120_000;
/** What counts so long yet is left as it is, so that the history does not fill. */
const ENOUGH_MS = 60_000;

/** When it ends unless it is told again: a server that stops, or another one that sees well, need not end it. */
export const endOfTold = (now: Date): Date => new Date(now.getTime() + LASTS_MS);

/** Clocks of servers that agree differ by no more. */
const APART_MS = 5_000;

/**
 * True of what need not be told again yet; what has no end is ended by something else. What ends later than anybody may tell
 * was told by a clock that was ahead: told again, it ends by this one.
 */
export const lastsYet = ({ until }: { readonly until: Date | null }, now: Date): boolean =>
  until !== null && until.getTime() > now.getTime() + ENOUGH_MS && !isFromAhead({ until }, now);

/** True of what was told by a clock that was ahead. */
export const isFromAhead = ({ until }: { readonly until: Date | null }, now: Date): boolean =>
  until !== null && until.getTime() > now.getTime() + LASTS_MS + APART_MS;
