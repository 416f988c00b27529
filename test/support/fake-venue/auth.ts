import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { recoverTypedDataAddress } from 'viem';
import { REFUSALS } from './refusals.js';
import type { Hex } from './wire.js';

/** The credentials of the owner of this address, and the venue's names for them. */
export interface ApiKey {
  /** Lower case. */
  readonly address: string;
  readonly nonce: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

const LOGIN = {
  ClobAuth: [
    { name: 'address', type: 'address' },
    { name: 'timestamp', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'message', type: 'string' },
  ],
} as const;
const MESSAGE = 'This message attests that I control the given wallet';
const HIGHEST_S = BigInt('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');

/** Whether these are 65 bytes with v = 27 or 28 and the lower s, as every wallet makes them. */
export function isPlainSignature(signature: string): signature is Hex {
  if (!/^0x[0-9a-f]{128}(1b|1c)$/i.test(signature)) return false;
  return BigInt(`0x${signature.slice(66, 130)}`) <= HIGHEST_S;
}

/** The API keys of the venue: proof of the wallet for a key (L1), proof of the key for everything else (L2). */
export class ApiKeys {
  readonly #keys = new Map<string, ApiKey>();
  /** How far the clock of a client may be off. */
  skewSeconds = 60;

  constructor(
    readonly chainId: number,
    readonly now: () => number,
  ) {}

  /** Who signed the login; refused with 401. */
  async login(headers: IncomingHttpHeaders): Promise<{ address: string; nonce: string }> {
    const [address, signature, timestamp, nonce] = ['address', 'signature', 'timestamp', 'nonce'].map((name) =>
      String(headers[`poly_${name}`] ?? ''),
    ) as [Hex, Hex, string, string];
    if (!this.#isFresh(timestamp) || !/^\d+$/.test(nonce) || !isPlainSignature(signature)) throw REFUSALS.login();
    const signer = await recoverTypedDataAddress({
      domain: { name: 'ClobAuthDomain', version: '1', chainId: this.chainId },
      types: LOGIN,
      primaryType: 'ClobAuth',
      message: { address, timestamp, nonce: BigInt(nonce), message: MESSAGE },
      signature,
    }).catch(() => '');
    if (signer.toLowerCase() !== address.toLowerCase()) throw REFUSALS.login();
    return { address: address.toLowerCase(), nonce };
  }

  /** The key of this address and nonce, which is new from now on. */
  create(address: string, nonce = '0'): ApiKey {
    const seed = createHash('sha256').update(`${address.toLowerCase()}:${nonce}`).digest('hex');
    const id = `${seed.slice(0, 8)}-${seed.slice(8, 12)}-4${seed.slice(13, 16)}-8${seed.slice(17, 20)}-${seed.slice(20, 32)}`;
    const secret = createHmac('sha256', seed).update('secret').digest('base64url');
    const key = {
      address: address.toLowerCase(),
      nonce,
      apiKey: id,
      secret: `${secret}=`,
      passphrase: createHmac('sha256', seed).update('passphrase').digest('hex'),
    };
    this.#keys.set(id, key);
    return key;
  }

  find(address: string, nonce: string): ApiKey | undefined {
    return [...this.#keys.values()].find((key) => key.address === address && key.nonce === nonce);
  }

  of(address: string): readonly ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.address === address);
  }

  revoke({ apiKey }: ApiKey): void {
    this.#keys.delete(apiKey);
  }

  /** Whether these are the raw credentials of a key, as the user stream wants them. */
  matching(given: { apiKey?: unknown; secret?: unknown; passphrase?: unknown }): ApiKey | undefined {
    const key = this.#keys.get(String(given.apiKey));
    return key?.secret === given.secret && key?.passphrase === given.passphrase ? key : undefined;
  }

  /** The key that signed this very request; refused with 401. The query is not signed, every byte of the body is. */
  verified(headers: IncomingHttpHeaders, method: string, path: string, body: Buffer): ApiKey {
    const read = (name: string) => String(headers[`poly_${name}`] ?? '');
    const key = this.#keys.get(read('api_key'));
    if (key === undefined || read('passphrase') !== key.passphrase) throw REFUSALS.key();
    if (read('address').toLowerCase() !== key.address || !this.#isFresh(read('timestamp'))) throw REFUSALS.key();
    const expected = createHmac('sha256', Buffer.from(key.secret, 'base64url'))
      .update(`${read('timestamp')}${method}${path}`)
      .update(body)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_');
    const given = Buffer.from(read('signature'));
    if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected))) throw REFUSALS.key();
    return key;
  }

  #isFresh(timestamp: string): boolean {
    return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - this.now() / 1000) <= this.skewSeconds;
  }
}
