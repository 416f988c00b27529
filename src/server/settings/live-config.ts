import type { ApiCredentials } from '../../adapters/polymarket/signing/l2-headers.js';
import type { Usdc } from '../../core/money.js';
import type { Hex } from '../../ports/signer.js';
import { complete, type Review } from './review.js';
import type { AuthMode, Values, Variable } from './settings.js';

/** Where the key that signs is; never the key. */
export type KeyPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'environment'; readonly variable: 'POLYMARKET_PRIVATE_KEY' };

/** All that trading with real money takes. */
export interface LiveConfig {
  readonly clob: URL;
  /** The base to which /ws/user is added. */
  readonly stream: URL;
  readonly geoblock: URL;
  readonly chainId: 137 | 80_002;
  readonly key: KeyPlace;
  /** The type of wallet: 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** The wallet that pays; null is the key's own. */
  readonly funder: Hex | null;
  /** Null where they are asked for with the key. */
  readonly credentials: ApiCredentials | null;
  /** The most that one order may be worth: the signer signs none above it. */
  readonly orderCap: Usdc;
}

const CREDENTIALS = ['POLYMARKET_API_KEY', 'POLYMARKET_API_SECRET', 'POLYMARKET_API_PASSPHRASE'] as const;
/** True of LIVE_TRADING=on, and of what asks how it would be. */
const WHERE = 'with LIVE_TRADING=on';

/**
 * What live trading takes; null without LIVE_TRADING=on, undefined when something is missing. Reports every condition that
 * is not met.
 */
export function liveOf(mode: AuthMode | undefined, values: Values, review: Review): LiveConfig | null | undefined {
  if (values.LIVE_TRADING !== 'on') return values.LIVE_TRADING === undefined ? undefined : null;
  checkSurroundings(mode, values, review);
  return complete<LiveConfig>({
    clob: values.POLYMARKET_CLOB_URL,
    stream: values.POLYMARKET_WS_URL,
    geoblock: values.POLYMARKET_GEOBLOCK_URL,
    chainId: values.POLYMARKET_CHAIN_ID,
    key: keyOf(values, review),
    signatureType: values.POLYMARKET_SIGNATURE_TYPE,
    funder: funderOf(values, review),
    credentials: credentialsOf(values, review),
    orderCap: values.LIVE_MAX_ORDER_USDC,
  });
}

function checkSurroundings(mode: AuthMode | undefined, { MARKET_DATA, DATABASE_URL }: Values, review: Review): void {
  if (mode === 'dev') {
    review.report('AUTH_MODE', `must be keys, jwt or keys+jwt ${WHERE}, because dev believes whoever calls`);
  }
  if (MARKET_DATA !== undefined && MARKET_DATA.kind !== 'polymarket') {
    review.report('MARKET_DATA', `must be polymarket ${WHERE}`);
  }
  if (DATABASE_URL?.kind === 'memory' || DATABASE_URL?.url === 'sqlite::memory:') {
    review.report('DATABASE_URL', `must name a database that lasts ${WHERE}: sqlite:PATH or postgres://…`);
  }
}

function keyOf(values: Values, review: Review): KeyPlace | undefined {
  const { POLYMARKET_PRIVATE_KEY_FILE: path, POLYMARKET_PRIVATE_KEY: given } = values;
  if (path !== undefined && given !== undefined) {
    review.report('POLYMARKET_PRIVATE_KEY', 'cannot be given beside POLYMARKET_PRIVATE_KEY_FILE: one key signs');
  }
  if (path !== undefined) return { kind: 'file', path };
  if (given !== undefined) return { kind: 'environment', variable: 'POLYMARKET_PRIVATE_KEY' };
  review.report('POLYMARKET_PRIVATE_KEY_FILE', `is required ${WHERE}, or POLYMARKET_PRIVATE_KEY`);
  return undefined;
}

function funderOf({ POLYMARKET_SIGNATURE_TYPE: type, POLYMARKET_FUNDER: funder }: Values, review: Review): Hex | null {
  if (type !== undefined && type !== 0 && funder === undefined) {
    const what = `is required, because POLYMARKET_SIGNATURE_TYPE is ${type}: the address of the wallet that pays`;
    review.report('POLYMARKET_FUNDER', what);
  }
  return funder ?? null;
}

function credentialsOf(values: Values, review: Review): ApiCredentials | null {
  const [apiKey, secret, passphrase] = CREDENTIALS.map((variable) => values[variable]);
  if (apiKey !== undefined && secret !== undefined && passphrase !== undefined) return { apiKey, secret, passphrase };
  const isGiven = (variable: Variable) => values[variable] !== undefined;
  if (CREDENTIALS.some(isGiven)) {
    for (const variable of CREDENTIALS.filter((one) => !isGiven(one))) {
      review.report(variable, `is missing: ${CREDENTIALS.join(', ')} are given together, or none of them`);
    }
  }
  return null;
}
