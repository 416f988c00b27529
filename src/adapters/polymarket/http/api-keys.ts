import * as v from 'valibot';
import type { Result } from '../../transport/result.js';
import type { Call } from '../../transport/send-once.js';
import type { VenueClock } from '../../venue/venue-clock.js';
import { boundedText } from '../../venue/wire-types.js';
import type { ApiCredentials } from '../signing/l2-headers.js';
import { l1Headers } from '../signing/login.js';
import type { Signer } from '../signing/signer.js';
import { resultOf } from './answer.js';
import type { TradingClient } from './trading-client.js';

const filled = v.pipe(boundedText, v.nonEmpty());
const credentials = v.object({ apiKey: filled, secret: filled, passphrase: filled });

/** With these statuses the venue says that the key has no credentials yet, rather than that it may not have any. */
const NONE_YET = [400, 404];

/** Whose credentials are requested, and where. */
export interface LoginOptions {
  readonly http: TradingClient;
  readonly signer: Signer;
  readonly clock: VenueClock;
  readonly chainId: number;
  /** Which set of credentials; 0 when absent. */
  readonly nonce?: number;
}

/**
 * The API credentials of the signer's key: the existing ones, else new ones (`polymarket.md` 2.1). When the creation is not
 * answered they may exist, so they are requested once more.
 * @throws SigningRefused
 */
export async function apiCredentials(options: LoginOptions): Promise<Result<ApiCredentials>> {
  const known = await knownCredentials(options);
  if (known.kind === 'ok' || known.status === null || !NONE_YET.includes(known.status)) return known;
  const call = await signedBy(options, 'POST', '/auth/api-key');
  const made = resultOf(credentials, await options.http.send('order', call));
  return made.kind === 'ok' ? made : knownCredentials(options);
}

/**
 * The existing credentials of the signer's key; unlike `apiCredentials` it never creates new ones. @throws SigningRefused
 */
export async function knownCredentials(options: LoginOptions): Promise<Result<ApiCredentials>> {
  return resultOf(credentials, await options.http.read(await signedBy(options, 'GET', '/auth/derive-api-key')));
}

async function signedBy(options: LoginOptions, method: Call['method'], path: string): Promise<Call> {
  const { signer, clock, chainId, nonce = 0 } = options;
  const timestamp = clock.seconds();
  const [address, signature] = await Promise.all([signer.address(), signer.signLogin({ chainId, timestamp, nonce })]);
  return { method, path, headers: () => l1Headers(address, signature, { timestamp, nonce }) };
}
