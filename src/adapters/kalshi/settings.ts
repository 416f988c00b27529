import * as v from 'valibot';
import type { ReportProblem, SettingValues, ValuesOf } from '../../ports/setting.js';
import { complete } from '../../settings/complete.js';
import { setting, settingKind } from '../../settings/setting.js';
import { oneOf, serviceUrl, socketUrl, textSetting } from '../../settings/values.js';
import { KALSHI_ENVIRONMENTS, type KalshiEnvironment } from './venue-name.js';

/** Where each is reached. */
const HOSTS = {
  demo: { api: 'https://external-api.demo.kalshi.co', socket: 'wss://external-api-ws.demo.kalshi.co' },
  production: { api: 'https://external-api.kalshi.com', socket: 'wss://external-api-ws.kalshi.com' },
} as const;

/** Winners of games: every series that is named in the venue's own documents. */
const SERIES = ['KXNFLGAME', 'KXNBAGAME', 'KXMLBGAME', 'KXNHLGAME', 'KXNCAAFGAME', 'KXNCAAMBGAME', 'KXWCGAME'];
const MOST_SERIES = 50;

const tickers = settingKind(`up to ${MOST_SERIES} tickers, such as KXNFLGAME,KXNBAGAME`, (must) =>
  v.pipe(
    v.string(),
    v.transform((text) => [...new Set(text.split(',').map((part) => part.trim()))]),
    v.check((all) => all.length <= MOST_SERIES && all.every((one) => /^[A-Z0-9][A-Z0-9.-]{0,63}$/.test(one)), must),
  ),
);

/** The addresses of Kalshi, the key that reads its books, and the series that are searched. */
export const KALSHI_SETTINGS = {
  KALSHI_ENV: setting(
    oneOf(KALSHI_ENVIRONMENTS),
    'demo',
    'Which exchange of Kalshi: demo has play money and prices of its own, production the real ones.',
  ),
  KALSHI_KEY_ID: setting(
    textSetting('the id of a key'),
    null,
    'The id of an API key of that exchange. Required with MARKET_DATA=kalshi: its books are streamed to keys alone.',
  ),
  KALSHI_PRIVATE_KEY_FILE: setting(
    textSetting('a path'),
    null,
    'The file with the private key of it, in PEM, RSA or Ed25519, mode 0400. Required with MARKET_DATA=kalshi.',
  ),
  KALSHI_SERIES: setting(
    tickers,
    null,
    'The series of Kalshi in which markets are looked for. Unset: the winners of games of the large leagues.',
  ),
  KALSHI_API_URL: setting(serviceUrl, null, "Kalshi's REST interface. Unset: that of KALSHI_ENV."),
  KALSHI_WS_URL: setting(socketUrl, null, "Kalshi's socket. Unset: that of KALSHI_ENV."),
};

/** What market data of Kalshi needs. */
export interface KalshiSettings {
  readonly environment: KalshiEnvironment;
  readonly api: URL;
  readonly socket: URL;
  readonly keyId: string;
  /** The path of the key file; never the key. */
  readonly keyFile: string;
  readonly series: readonly string[];
}

/** The settings of market data; reports what is required and missing, and is undefined then. */
export function kalshiSettings(given: SettingValues, report: ReportProblem): KalshiSettings | undefined {
  const values = given as ValuesOf<typeof KALSHI_SETTINGS>;
  const { KALSHI_ENV: environment, KALSHI_KEY_ID: keyId, KALSHI_PRIVATE_KEY_FILE: keyFile } = values;
  const what = 'is required with MARKET_DATA=kalshi: make an API key on the web page of the venue';
  if (keyId === undefined) report('KALSHI_KEY_ID', what);
  if (keyFile === undefined) report('KALSHI_PRIVATE_KEY_FILE', what);
  if (environment === undefined) return undefined;
  return complete<KalshiSettings>({
    environment,
    api: values.KALSHI_API_URL ?? new URL(HOSTS[environment].api),
    socket: values.KALSHI_WS_URL ?? new URL(HOSTS[environment].socket),
    keyId,
    keyFile,
    series: values.KALSHI_SERIES ?? SERIES,
  });
}
