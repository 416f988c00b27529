/** How long what a server reports of itself counts after its last report. */
const LASTS_MS = 120_000;
/** A report that counts for longer than this is not renewed, so that the history does not fill. */
const ENOUGH_MS = 60_000;

/** When it ends unless it is reported again: neither a server that stops nor another, healthy one has to end it. */
export const endOfReport = (now: Date): Date => new Date(now.getTime() + LASTS_MS);

/** Clocks of servers that agree differ by no more. */
const APART_MS = 5_000;

/**
 * True while a report need not be renewed; false without an end, which something else sets. An end later than any report can set
 * came from a clock that was ahead: renewing the report corrects it.
 */
export const lastsYet = ({ until }: { readonly until: Date | null }, now: Date): boolean =>
  until !== null && until.getTime() > now.getTime() + ENOUGH_MS && !isFromAhead({ until }, now);

/** True of what was reported by a clock that was ahead. */
export const isFromAhead = ({ until }: { readonly until: Date | null }, now: Date): boolean =>
  until !== null && until.getTime() > now.getTime() + LASTS_MS + APART_MS;
