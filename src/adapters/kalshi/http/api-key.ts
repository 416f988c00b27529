import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { VenueUnusable } from '../../../core/venues/venues.js';
import { openKeyFile } from '../../venue/key-file.js';

/** What signs requests for an account: it never gives its key away. */
export interface RequestSigner {
  /** The id of the key at the venue; not a secret. */
  readonly keyId: string;
  /** The signature of a text, in base64. */
  sign(text: string): string;
}

/** What every path of the interface by REST begins with; it is signed too. */
export const API_PATH = '/trade-api/v2';

/** The largest file that is read as a key. */
const MOST_BYTES = 16_384;
/** Below it an RSA key is not accepted by the venue. */
const LEAST_RSA_BITS = 2048;
const SALT_BYTES = 32;

/** The request below the origin whose headers are made: the query is not signed. */
export interface SignedCall {
  readonly method: string;
  /** From the root, such as `/trade-api/v2/portfolio/balance`. */
  readonly path: string;
}

/** The headers of a request: they are good for some seconds around this moment of the venue's clock (`kalshi.md` 2.2). */
export function accessHeaders(signer: RequestSigner, { method, path }: SignedCall, at: number): Record<string, string> {
  const timestamp = `${Math.floor(at)}`;
  return {
    'KALSHI-ACCESS-KEY': signer.keyId,
    'KALSHI-ACCESS-TIMESTAMP': timestamp,
    'KALSHI-ACCESS-SIGNATURE': signer.sign(`${timestamp}${method}${path}`),
  };
}

/** Signs with the private key in a file, of RSA or Ed25519, in PEM. Which of the two it is follows from the key, not from its header. */
export class ApiKeyFile implements RequestSigner {
  readonly #key: KeyObject;

  private constructor(
    readonly keyId: string,
    key: KeyObject,
  ) {
    this.#key = key;
  }

  /**
   * Reads the file, which must be a plain one with mode 0400 that belongs to the user of this process.
   * @throws VenueUnusable when it is not, or holds no key that the venue takes
   */
  static async open(keyId: string, path: string): Promise<ApiKeyFile> {
    const file = await openKeyFile(path, refused);
    const text = Buffer.alloc(MOST_BYTES);
    try {
      const { bytesRead } = await file.read(text, 0, text.length, 0);
      return new ApiKeyFile(keyId, keyIn(text.subarray(0, bytesRead), path));
    } finally {
      text.fill(0);
      await file.close();
    }
  }

  sign(text: string): string {
    const signed = Buffer.from(text, 'utf8');
    if (this.#key.asymmetricKeyType === 'ed25519') return sign(null, signed, this.#key).toString('base64');
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return sign('sha256', signed, { key: this.#key, padding, saltLength: SALT_BYTES }).toString('base64');
  }
}

function keyIn(pem: Buffer, path: string): KeyObject {
  const key = parsed(pem, path);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isLargeEnough = type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS;
  if (type === 'ed25519' || isLargeEnough) return key;
  throw refused(`The key file ${path} must hold an RSA key of at least ${LEAST_RSA_BITS} bits, or an Ed25519 key.`);
}

function parsed(pem: Buffer, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The reason may quote what the file holds.
    throw refused(`The key file ${path} must hold a private key in PEM without a password, as the venue gave it.`);
  }
}

const refused = (message: string): VenueUnusable => new VenueUnusable('signing_refused', message, false);
