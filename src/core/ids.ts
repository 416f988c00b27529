/** A type-level mark that keeps ids from being mixed up; at run time it is a plain string. */
export type Id<Kind extends string> = string & { readonly 'id of': Kind };

/** The tenant that owns every record it makes; 1 to 128 characters, as `accountNamed` accepts them. */
export type AccountId = Id<'account'>;

/** UUIDv7 of a strategy. */
export type StrategyId = Id<'strategy'>;

/** UUIDv7 of an order; time-ordered, so it is also the order of lists. */
export type OrderId = Id<'order'>;

/** UUIDv7 of a request to approve a bet; time-ordered. */
export type ApprovalId = Id<'approval'>;

/** UUIDv7 of a decision of a strategy; time-ordered. */
export type DecisionId = Id<'decision'>;

/** UUIDv7 of an endpoint, where events are sent to; time-ordered. */
export type EndpointId = Id<'endpoint'>;

/** Names a venue: 1 to 32 of `a` to `z`, digits, `_` and `-`, a letter first. */
export type VenueName = Id<'venue'>;

/** The venue's name for a market: 1 to 128 of letters, digits and `. _ : -`. */
export type MarketId = Id<'market'>;

const SHOWN = 8;

/** UUIDs, and the hashes by which venues name markets. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{40,64}/gi;

/** The last characters of an id, by which people and commands name it. */
export const shortId = (id: string): string => id.slice(-SHOWN);

/** A text with the ids in it cut to their last characters. */
export const withShortIds = (text: string): string => text.replace(IDS, shortId);
