import * as v from 'valibot';
import type { ReportProblem, SettingValues, ValuesOf } from '../../ports/setting.js';
import { complete } from '../../settings/complete.js';
import { sensitive, setting, settingKind } from '../../settings/setting.js';
import { atLeast, oneOfTable, present, serviceUrl, socketUrl, textSetting } from '../../settings/values.js';
import type { ApiCredentials } from './signing/l2-headers.js';
import type { Hex } from './signing/signer.js';

const CHAINS = { '137': 137, '80002': 80_002 } as const;
const WALLETS = { '0': 0, '1': 1, '2': 2, '3': 3 } as const;
const filled = settingKind('a text that is not empty', () => atLeast(1).schema);

/** An address of a wallet: 20 bytes in hexadecimal. */
const address = settingKind('an address: 0x and 40 hexadecimal digits', (must) =>
  v.pipe(
    v.string(),
    v.regex(/^0x[0-9a-fA-F]{40}$/, must),
    v.transform((text) => text as Hex),
  ),
);

/** The addresses of Polymarket's markets and books. */
export const MARKET_DATA_SETTINGS = {
  POLYMARKET_GAMMA_URL: setting(serviceUrl, 'https://gamma-api.polymarket.com', "Polymarket's market metadata."),
  POLYMARKET_CLOB_URL: setting(serviceUrl, 'https://clob.polymarket.com', "Polymarket's order books."),
  POLYMARKET_WS_URL: setting(
    socketUrl,
    'wss://ws-subscriptions-clob.polymarket.com',
    "Polymarket's streams: the base to which /ws/market and /ws/user are added.",
  ),
};

/** The additional settings for trading with real money at Polymarket. */
export const TRADING_SETTINGS = {
  POLYMARKET_CHAIN_ID: setting(oneOfTable(CHAINS), '137', 'The chain of the exchange contracts; 80002 is for tests.'),
  POLYMARKET_PRIVATE_KEY_FILE: setting(
    textSetting('a path'),
    null,
    'The file with the key that signs orders: 64 hexadecimal digits, mode 0400. Required with LIVE_TRADING=on.',
  ),
  POLYMARKET_PRIVATE_KEY: sensitive(
    present('64 hexadecimal digits'),
    null,
    'The key itself, in place of the file; it is removed from the environment at start.',
  ),
  POLYMARKET_SIGNATURE_TYPE: setting(
    oneOfTable(WALLETS),
    '0',
    'What kind of wallet pays: 0 the key itself, 1 a proxy, 2 a Safe, 3 a deposit wallet.',
  ),
  POLYMARKET_FUNDER: setting(address, null, 'The address of the wallet that pays; required with wallets 1 to 3.'),
  POLYMARKET_API_KEY: sensitive(
    filled,
    null,
    'Credentials of the trading API, with the next two; they are requested with the key when all three are unset.',
  ),
  POLYMARKET_API_SECRET: sensitive(filled, null, 'Its secret.'),
  POLYMARKET_API_PASSPHRASE: sensitive(filled, null, 'Its passphrase.'),
  POLYMARKET_GEOBLOCK_URL: setting(
    serviceUrl,
    'https://polymarket.com/api/geoblock',
    'Where stakeport doctor asks whether Polymarket serves this location.',
  ),
};

/** The variable whose value is a key. */
export const KEY_VARIABLE = 'POLYMARKET_PRIVATE_KEY';

/** Polymarket's addresses. */
export interface PolymarketHosts {
  readonly gamma: URL;
  readonly clob: URL;
  /** The base URL to which /ws/market and /ws/user are appended. */
  readonly stream: URL;
}

/** Where the signing key is; never the key. */
export type KeyPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'environment'; readonly variable: typeof KEY_VARIABLE };

/** Everything needed to trade with real money at Polymarket. */
export interface PolymarketTradingSettings extends Omit<PolymarketHosts, 'gamma'> {
  readonly geoblock: URL;
  readonly chainId: 137 | 80_002;
  readonly key: KeyPlace;
  /** The type of wallet: 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** The wallet that pays; null for the key's own. */
  readonly funder: Hex | null;
  /** Null when they are requested with the key. */
  readonly credentials: ApiCredentials | null;
}

type Values = ValuesOf<typeof MARKET_DATA_SETTINGS & typeof TRADING_SETTINGS>;

const CREDENTIALS = ['POLYMARKET_API_KEY', 'POLYMARKET_API_SECRET', 'POLYMARKET_API_PASSPHRASE'] as const;

/** The market data addresses; undefined when one is missing. */
export function hostsOf(given: SettingValues): PolymarketHosts | undefined {
  const values = given as Values;
  return complete<PolymarketHosts>({
    gamma: values.POLYMARKET_GAMMA_URL,
    clob: values.POLYMARKET_CLOB_URL,
    stream: values.POLYMARKET_WS_URL,
  });
}

/** The trading settings; reports every unmet condition, and is undefined when something is missing. */
export function tradingOf(given: SettingValues, report: ReportProblem): PolymarketTradingSettings | undefined {
  const values = given as Values;
  return complete<PolymarketTradingSettings>({
    clob: values.POLYMARKET_CLOB_URL,
    stream: values.POLYMARKET_WS_URL,
    geoblock: values.POLYMARKET_GEOBLOCK_URL,
    chainId: values.POLYMARKET_CHAIN_ID,
    key: keyOf(values, report),
    signatureType: values.POLYMARKET_SIGNATURE_TYPE,
    funder: funderOf(values, report),
    credentials: credentialsOf(values, report),
  });
}

function keyOf(values: Values, report: ReportProblem): KeyPlace | undefined {
  const { POLYMARKET_PRIVATE_KEY_FILE: path, POLYMARKET_PRIVATE_KEY: given } = values;
  if (path !== undefined && given !== undefined) {
    report(KEY_VARIABLE, 'cannot be set together with POLYMARKET_PRIVATE_KEY_FILE: only one key signs');
  }
  if (path !== undefined) return { kind: 'file', path };
  if (given !== undefined) return { kind: 'environment', variable: KEY_VARIABLE };
  report('POLYMARKET_PRIVATE_KEY_FILE', `is required with LIVE_TRADING=on, or ${KEY_VARIABLE}`);
  return undefined;
}

function funderOf({ POLYMARKET_SIGNATURE_TYPE: type, POLYMARKET_FUNDER: funder }: Values, report: ReportProblem) {
  if (type !== undefined && type !== 0 && funder === undefined) {
    const what = `is required, because POLYMARKET_SIGNATURE_TYPE is ${type}: the address of the wallet that pays`;
    report('POLYMARKET_FUNDER', what);
  }
  return funder ?? null;
}

function credentialsOf(values: Values, report: ReportProblem): ApiCredentials | null {
  const [apiKey, secret, passphrase] = CREDENTIALS.map((variable) => values[variable]);
  if (apiKey !== undefined && secret !== undefined && passphrase !== undefined) return { apiKey, secret, passphrase };
  const missing = CREDENTIALS.filter((variable) => values[variable] === undefined);
  if (missing.length === CREDENTIALS.length) return null;
  for (const variable of missing) {
    report(variable, `is missing: ${CREDENTIALS.join(', ')} are set together, or none of them`);
  }
  return null;
}
