import { formatMicro, type Usdc } from '../../core/money.js';
import type { Clock } from '../../ports/system.js';
import type { Check, VenueExamination } from '../../ports/venue-adapter.js';
import { missing, ok, warning } from '../../settings/check.js';
import type { NoAnswer, Result } from '../transport/result.js';
import { VenueClock } from '../venue/venue-clock.js';
import type { VenueBalance } from './http/account-wire.js';
import { knownCredentials } from './http/api-keys.js';
import { ClobTrading } from './http/clob-trading.js';
import { type TradingClient, tradingClient } from './http/trading-client.js';
import { geoblocked, serverTime, serverVersion } from './http/venue-status.js';
import type { PolymarketTradingSettings } from './settings.js';
import { EXCHANGES } from './signing/exchanges.js';
import type { ApiCredentials } from './signing/l2-headers.js';
import type { Signer } from './signing/signer.js';

const MACHINE: Clock = { now: () => new Date() };
const TOLERATED_MS = 2000;
const ORDER_VERSION = 2;
const UNKNOWN_ACCOUNT: VenueExamination = { checks: [], collateral: null };
/** The statuses with which the venue answers for a key that has no credentials yet. */
const NONE_YET = [400, 404];

/** Checks the venue for this wallet, or for this machine alone when there is no signer. It only reads. */
export async function examineVenue(
  settings: PolymarketTradingSettings,
  signer: Signer | null,
): Promise<VenueExamination> {
  const http = tradingClient(settings.clob);
  const clock = new VenueClock({
    clock: MACHINE,
    readSeconds: async () => {
      const result = await serverTime(http);
      return result.kind === 'ok' ? result.value : null;
    },
    reportSkew: () => {},
  });
  try {
    if (!(await clock.measure())) return unreachable(settings);
    const general = [clockCheck(clock), await versionCheck(http), await geoblockCheck(settings)];
    const account = signer === null ? UNKNOWN_ACCOUNT : await examineAccount(settings, signer, http, clock);
    return { ...account, checks: [ok(`${settings.clob.origin} answers.`), ...general, ...account.checks] };
  } finally {
    await http.close();
  }
}

function unreachable({ clob }: PolymarketTradingSettings): VenueExamination {
  const words = `${clob.origin} does not return its time: it cannot be reached from here, or is out of service.`;
  return { checks: [missing(`${words} Check the network and POLYMARKET_CLOB_URL.`)], collateral: null };
}

function clockCheck({ offsetMs }: VenueClock): Check {
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  if (Math.abs(offsetMs) <= TOLERATED_MS) return ok('The clock of this machine agrees with the venue.');
  const where = offsetMs > 0 ? 'behind' : 'ahead of';
  return warning(`The clock of this machine is ${seconds} s ${where} the venue. Synchronise it with NTP.`);
}

async function versionCheck(http: TradingClient): Promise<Check> {
  const result = await serverVersion(http);
  if (result.kind !== 'ok') return warning(`The venue does not report the order version it accepts${because(result)}.`);
  if (result.value === ORDER_VERSION) return ok(`The venue accepts orders of version ${ORDER_VERSION}.`);
  const words = `The venue accepts orders of version ${result.value}, and this program signs version ${ORDER_VERSION}.`;
  return missing(`${words} Update stakeport.`);
}

async function geoblockCheck({ geoblock }: PolymarketTradingSettings): Promise<Check> {
  const result = await geoblocked(geoblock);
  if (result.kind !== 'ok')
    return warning(`${geoblock.host} does not say whether this location is served${because(result)}.`);
  const { blocked, country, region } = result.value;
  const place = [country, region].filter((name) => name !== '').join(' ');
  if (!blocked) return ok(`The venue serves the location of this machine (${place}).`);
  return missing(`The venue does not serve the location of this machine (${place}): it will refuse every order.`);
}

async function examineAccount(
  settings: PolymarketTradingSettings,
  signer: Signer,
  http: TradingClient,
  clock: VenueClock,
): Promise<VenueExamination> {
  const { chainId, signatureType } = settings;
  const known: Result<ApiCredentials> =
    settings.credentials === null
      ? await knownCredentials({ http, signer, clock, chainId })
      : { kind: 'ok', value: settings.credentials };
  if (known.kind !== 'ok') return { checks: [credentialsCheck(known)], collateral: null };
  const address = await signer.address();
  const clob = new ClobTrading({ http, clock, credentials: known.value, address, signatureType });
  const [closedOnly, balance] = await Promise.all([clob.closedOnly(), clob.balance({ asset: 'collateral' })]);
  if (closedOnly.kind !== 'ok' && closedOnly.status === 401) return { checks: [refused(settings)], collateral: null };
  return {
    checks: [
      ok(settings.credentials === null ? 'The key has API credentials.' : 'The configured API credentials are in use.'),
      closedOnlyCheck(closedOnly),
      ...balanceChecks(balance),
    ],
    collateral: balance.kind === 'ok' ? (balance.value.balance as Usdc) : null,
  };
}

function credentialsCheck(result: NoAnswer): Check {
  if (result.status !== null && NONE_YET.includes(result.status)) {
    return warning(
      'The key has no API credentials yet. The server requests them at its first start; no action is needed.',
    );
  }
  return missing(`The venue returns no API credentials for the key${because(result)}.`);
}

function refused({ credentials }: PolymarketTradingSettings): Check {
  if (credentials === null) return missing('The venue rejects the API credentials that it issued for the key.');
  const words = 'The venue rejects the configured API credentials.';
  return missing(`${words} Unset POLYMARKET_API_KEY, _SECRET and _PASSPHRASE to have them requested with the key.`);
}

function closedOnlyCheck(result: Result<boolean>): Check {
  if (result.kind !== 'ok')
    return warning(`The venue does not say whether the wallet is restricted${because(result)}.`);
  if (!result.value) return ok('The wallet may open positions.');
  return missing('The wallet may only reduce its positions: ask the venue why it is restricted.');
}

function balanceChecks(result: Result<VenueBalance>): readonly Check[] {
  if (result.kind !== 'ok') return [missing(`The venue does not report the balance of the wallet${because(result)}.`)];
  const { balance } = result.value;
  const money = formatMicro(balance as Usdc);
  return [
    balance > 0n
      ? ok(`The wallet has ${money} USDC at the venue.`)
      : missing('The wallet has no USDC at the venue. Deposit there first; check the wallet type and funder.'),
    allowanceCheck('standard', result.value),
    allowanceCheck('negRisk', result.value),
  ];
}

function allowanceCheck(contract: keyof typeof EXCHANGES, { balance, allowances }: VenueBalance): Check {
  const address = EXCHANGES[contract];
  const name = contract === 'standard' ? 'the exchange contract' : 'the exchange contract for negative risk';
  const most = allowances.get(address.toLowerCase()) ?? allowances.get('*') ?? 0n;
  if (most > 0n && most >= balance)
    return ok(`The wallet's allowance for ${name} covers what orders spend (${address}).`);
  const how = 'Trade once on polymarket.com with this wallet, or approve the contract yourself.';
  if (most === 0n) return missing(`The wallet has no allowance for ${name} (${address}). ${how}`);
  return warning(`The wallet's allowance for ${name} is only ${formatMicro(most as Usdc)} USDC (${address}). ${how}`);
}

function because({ reason, status, said }: NoAnswer): string {
  const words = [reason, ...(status === null ? [] : [`status ${status}`]), ...(said === '' ? [] : [`“${said}”`])];
  return ` (${words.join(', ')})`;
}
