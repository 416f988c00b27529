import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';
import type { Clock } from '../../ports/system.js';
import { isTrustworthyUrl } from '../transport/loopback.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** At most one fetch begins in this time, regardless of what callers present and whether the last one succeeded. */
const COOLDOWN = 30 * SECOND;
/** Keys of this age are fetched again before they are used. */
const FRESH_FOR = 10 * MINUTE;
/** Keys that cannot be fetched again stay in use up to this age. */
const USABLE_FOR = 60 * MINUTE;
/** The timeout of a whole fetch: connecting, waiting for headers, and reading the body. */
const FETCH_MS = 5 * SECOND;
/** Hundreds of keys with their certificates; more than any issuer has. */
const MAX_BYTES = 1024 * 1024;

/** The issuer's keys could not be read, so that a token can be neither accepted nor refused. */
export class IssuerKeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('The keys of the issuer cannot be fetched.', { cause });
  }
}

/**
 * The public keys that an issuer signs with, from one URL and no other: the headers of a token name a key, never a
 * place to fetch it from, and redirects are not followed.
 */
export class IssuerKeys {
  readonly #remote;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Why the last fetch failed; undefined once one has not. */
  #failure: unknown = new Error('They were not fetched yet.');
  #fetching: Promise<void> | undefined;

  /** @throws TypeError unless the URL is https, or http on a loopback host. */
  constructor(
    url: URL,
    private readonly clock: Clock,
    { fetchMs = FETCH_MS }: { readonly fetchMs?: number } = {},
  ) {
    if (!isTrustworthyUrl(url)) throw new TypeError('the JWKS URL must be https, or http on a loopback host');
    // This class alone decides when to fetch: jose by itself would drop valid keys, and fetch on every request, while
    // the issuer is down. jose still decides how: one at a time, status 200, no redirect.
    const never = Number.POSITIVE_INFINITY;
    this.#remote = createRemoteJWKSet(url, {
      cacheMaxAge: never,
      cooldownDuration: never,
      timeoutDuration: fetchMs,
      [customFetch]: boundedFetch(MAX_BYTES),
    });
  }

  /**
   * The key that a token says it was signed with.
   * @throws IssuerKeysUnavailable when it is unknown and the issuer does not answer; jose's errors when there is none.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    if (this.#elapsed(this.#loadedAt) >= FRESH_FOR) await this.#refresh();
    if (this.#elapsed(this.#loadedAt) >= USABLE_FOR) throw new IssuerKeysUnavailable(this.#failure);
    try {
      return await this.#remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#refresh();
    return this.#remote(header, token).catch((error: unknown) => {
      throw this.#failure === undefined ? error : new IssuerKeysUnavailable(this.#failure);
    });
  }

  /** Waits for the fetch in progress, or begins one unless the last began too recently. Failure keeps the old keys. */
  async #refresh(): Promise<void> {
    if (this.#fetching === undefined && this.#elapsed(this.#triedAt) >= COOLDOWN) {
      this.#triedAt = this.clock.now().getTime();
      this.#fetching = this.#fetch(this.#triedAt);
    }
    await this.#fetching;
  }

  async #fetch(startedAt: number): Promise<void> {
    try {
      await this.#remote.reload();
      this.#loadedAt = startedAt;
      this.#failure = undefined;
    } catch (failure) {
      this.#failure = failure;
    } finally {
      this.#fetching = undefined;
    }
  }

  #elapsed(since: number): number {
    // A clock that was set back counts as time passed; otherwise old keys would stay in use until it caught up.
    return Math.abs(this.clock.now().getTime() - since);
  }
}

/** An answer was larger than may be read. */
class AnswerTooLarge extends Error {}

/**
 * A `fetch` that reads at most `maxBytes` of a body, counted after content decoding, and aborts beyond that. The answer is
 * complete when it resolves, so that the caller's signal bounds all of it: connecting, headers and body.
 */
function boundedFetch(maxBytes: number): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const body = await bytesOf(answer, maxBytes);
    const { status, headers } = answer;
    return new Response(status === 200 ? body : null, { status, headers });
  };
}

/** @throws AnswerTooLarge, and what ended the body early */
async function bytesOf({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLarge(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
