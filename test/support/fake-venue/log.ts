import type { VenueOrder } from './orders.js';
import type { Hex } from './wire.js';

/** One request, in order of arrival. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The bytes of the body received so far. */
  body: string;
  /** Null as long as no answer has begun. */
  status: number | null;
}

/** An order that the venue accepted. */
export interface AcceptedOrder {
  readonly hash: Hex;
  readonly at: number;
  /** The exact bytes of its request. */
  readonly raw: string;
  readonly order: VenueOrder;
}

/** How often one hash was sent, by outcome. */
export interface PostCounts {
  accepted: number;
  duplicate: number;
  refused: number;
}

/** A client's record of one order, for comparison. */
export interface OwnRecord {
  readonly id: string;
  /** Every hash that was ever signed for it. */
  readonly hashes: readonly string[];
  /** Shares, in millionths. */
  readonly filled: bigint;
}

/** All requests to the venue, and the orders that it accepted. */
export class VenueLog {
  readonly requests: LoggedRequest[] = [];
  readonly accepted = new Map<string, AcceptedOrder>();
  readonly cancels: { readonly at: number; readonly hash: string; readonly reason: string | null }[] = [];
  readonly #posts = new Map<string, PostCounts>();

  /** How often this hash was sent to be placed; drops and holds that were never processed are not in it. */
  posts(hash: string): Readonly<PostCounts> {
    return this.#posts.get(hash) ?? { accepted: 0, duplicate: 0, refused: 0 };
  }

  count(hash: string, outcome: keyof PostCounts): void {
    const counts = { ...this.posts(hash) };
    counts[outcome] += 1;
    this.#posts.set(hash, counts);
  }

  /** The statuses of the requests of this method and path, null for those without an answer. */
  statuses(endpoint: string): (number | null)[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === endpoint).map(({ status }) => status);
  }

  /**
   * The differences between a client's records and the venue (`reliability.md` 2, oracle i to iii): an accepted hash that
   * belongs to no record or to several, a record with several accepted hashes, other filled shares.
   */
  breaches(records: readonly OwnRecord[], filled: (hash: string) => bigint): string[] {
    return breachesOf(records, new Set(this.accepted.keys()), filled);
  }
}

/** The same by the identities that any venue has accepted. */
export function breachesOf(
  records: readonly OwnRecord[],
  taken: ReadonlySet<string>,
  filled: (hash: string) => bigint,
): string[] {
  const owners = (hash: string) => records.filter(({ hashes }) => hashes.includes(hash)).length;
  const strays = [...taken]
    .filter((hash) => owners(hash) !== 1)
    .map((hash) => `${hash} belongs to ${owners(hash)} records`);
  const wrongs = records.flatMap(({ id, hashes, filled: own }) => {
    const accepted = hashes.filter((hash) => taken.has(hash));
    const theirs = accepted.reduce((total, hash) => total + filled(hash), 0n);
    return [
      ...(accepted.length > 1 ? [`${id} has ${accepted.length} accepted hashes`] : []),
      ...(theirs === own ? [] : [`${id} has ${own} filled, the venue ${theirs}`]),
    ];
  });
  return [...strays, ...wrongs];
}
