import type { VenueBalance } from '../adapters/polymarket/http/account-wire.js';
import { knownCredentials } from '../adapters/polymarket/http/api-keys.js';
import { ClobTrading } from '../adapters/polymarket/http/clob-trading.js';
import { type TradingClient, tradingClient } from '../adapters/polymarket/http/trading-client.js';
import { VenueClock } from '../adapters/polymarket/http/venue-clock.js';
import { geoblocked, serverTime, serverVersion } from '../adapters/polymarket/http/venue-status.js';
import { EXCHANGES } from '../adapters/polymarket/signing/exchanges.js';
import type { ApiCredentials } from '../adapters/polymarket/signing/l2-headers.js';
import { systemClock } from '../adapters/system/system.js';
import type { NoAnswer, Result } from '../adapters/transport/result.js';
import { formatMicro, type Usdc } from '../core/money.js';
import type { Signer } from '../ports/signer.js';
import type { LiveConfig } from '../server/settings/live-config.js';
import { type Check, missing, ok, warning } from './check.js';

/** What the checks of the venue came to. */
export interface VenueChecks {
  readonly checks: readonly Check[];
  /** The dollars of the wallet as the venue tells; null when it did not. */
  readonly collateral: Usdc | null;
}

const TOLERATED_MS = 2000;
const ORDER_VERSION = 2;
const UNKNOWN_ACCOUNT: VenueChecks = { checks: [], collateral: null };
/** What the venue answers to one whose key has no credentials yet. */
const NONE_YET = [400, 404];

/** How the exchange stands to this wallet, or to this machine alone where there is no signer. Asks, and makes nothing. */
export async function examineVenue(live: LiveConfig, signer: Signer | null): Promise<VenueChecks> {
  const http = tradingClient(live.clob);
  const clock = new VenueClock({
    clock: systemClock,
    readSeconds: async () => {
      const result = await serverTime(http);
      return result.kind === 'ok' ? result.value : null;
    },
    reportSkew: () => {},
  });
  try {
    if (!(await clock.measure())) return unreachable(live);
    const general = [clockCheck(clock), await versionCheck(http), await geoblockCheck(live)];
    const account = signer === null ? UNKNOWN_ACCOUNT : await examineAccount(live, signer, http, clock);
    return { ...account, checks: [ok(`${live.clob.origin} answers.`), ...general, ...account.checks] };
  } finally {
    await http.close();
  }
}

function unreachable({ clob }: LiveConfig): VenueChecks {
  const words = `${clob.origin} does not tell the time: it cannot be reached from here, or does not work.`;
  return { checks: [missing(`${words} Look at the network and at POLYMARKET_CLOB_URL.`)], collateral: null };
}

function clockCheck({ offsetMs }: VenueClock): Check {
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  if (Math.abs(offsetMs) <= TOLERATED_MS) return ok('The clock of this machine agrees with the exchange.');
  const where = offsetMs > 0 ? 'behind' : 'ahead of';
  return warning(
    `The clock of this machine is ${seconds} s ${where} the exchange. Let it be set by the network (NTP).`,
  );
}

async function versionCheck(http: TradingClient): Promise<Check> {
  const result = await serverVersion(http);
  if (result.kind !== 'ok') return warning(`The exchange does not tell which orders it takes${because(result)}.`);
  if (result.value === ORDER_VERSION) return ok(`The exchange takes orders of version ${ORDER_VERSION}.`);
  const words = `The exchange takes orders of version ${result.value}, and this program signs version ${ORDER_VERSION}.`;
  return missing(`${words} Look for a newer stakeport.`);
}

async function geoblockCheck({ geoblock }: LiveConfig): Promise<Check> {
  const result = await geoblocked(geoblock);
  if (result.kind !== 'ok')
    return warning(`${geoblock.host} does not tell whether this place is served${because(result)}.`);
  const { blocked, country, region } = result.value;
  const place = [country, region].filter((name) => name !== '').join(' ');
  if (!blocked) return ok(`The exchange serves the place of this machine (${place}).`);
  return missing(`The exchange does not serve the place of this machine (${place}): it will refuse every order.`);
}

async function examineAccount(
  live: LiveConfig,
  signer: Signer,
  http: TradingClient,
  clock: VenueClock,
): Promise<VenueChecks> {
  const { chainId, signatureType } = live;
  const known: Result<ApiCredentials> =
    live.credentials === null
      ? await knownCredentials({ http, signer, clock, chainId })
      : { kind: 'ok', value: live.credentials };
  if (known.kind !== 'ok') return { checks: [credentialsCheck(known)], collateral: null };
  const address = await signer.address();
  const clob = new ClobTrading({ http, clock, credentials: known.value, address, signatureType });
  const [closedOnly, balance] = await Promise.all([clob.closedOnly(), clob.balance({ asset: 'collateral' })]);
  if (closedOnly.kind !== 'ok' && closedOnly.status === 401) return { checks: [refused(live)], collateral: null };
  return {
    checks: [
      ok(
        live.credentials === null
          ? 'The key has API credentials.'
          : 'The API credentials are those that are configured.',
      ),
      closedOnlyCheck(closedOnly),
      ...balanceChecks(balance),
    ],
    collateral: balance.kind === 'ok' ? (balance.value.balance as Usdc) : null,
  };
}

function credentialsCheck(result: NoAnswer): Check {
  if (result.status !== null && NONE_YET.includes(result.status)) {
    return warning(
      'The key has no API credentials yet. The server asks for them at its first start; nothing is to be done.',
    );
  }
  return missing(`The exchange gives no API credentials for the key${because(result)}.`);
}

function refused({ credentials }: LiveConfig): Check {
  if (credentials === null) return missing('The exchange refuses the API credentials that it gave for the key.');
  const words = 'The exchange refuses the API credentials that are configured.';
  return missing(`${words} Unset POLYMARKET_API_KEY, _SECRET and _PASSPHRASE: then they are asked for with the key.`);
}

function closedOnlyCheck(result: Result<boolean>): Check {
  if (result.kind !== 'ok')
    return warning(`The exchange does not tell whether the wallet is restricted${because(result)}.`);
  if (!result.value) return ok('The wallet may open positions.');
  return missing('The wallet may only reduce what it holds: ask the exchange why it is restricted.');
}

function balanceChecks(result: Result<VenueBalance>): readonly Check[] {
  if (result.kind !== 'ok') return [missing(`The exchange does not tell the money of the wallet${because(result)}.`)];
  const { balance } = result.value;
  const money = formatMicro(balance as Usdc);
  return [
    balance > 0n
      ? ok(`The wallet has ${money} USDC at the exchange.`)
      : missing('The wallet has no USDC at the exchange. Deposit there first; check the wallet type and funder.'),
    allowanceCheck('standard', result.value),
    allowanceCheck('negRisk', result.value),
  ];
}

function allowanceCheck(contract: keyof typeof EXCHANGES, { balance, allowances }: VenueBalance): Check {
  const address = EXCHANGES[contract];
  const name = contract === 'standard' ? 'the exchange contract' : 'the exchange contract for negative risk';
  const most = allowances.get(address.toLowerCase()) ?? allowances.get('*') ?? 0n;
  if (most > 0n && most >= balance) return ok(`The wallet lets ${name} take what orders spend (${address}).`);
  const how = 'Trade once on polymarket.com with this wallet, or approve the contract yourself.';
  if (most === 0n) return missing(`The wallet does not let ${name} take anything (${address}). ${how}`);
  return warning(`The wallet lets ${name} take ${formatMicro(most as Usdc)} USDC at most (${address}). ${how}`);
}

function because({ reason, status, said }: NoAnswer): string {
  const words = [reason, ...(status === null ? [] : [`status ${status}`]), ...(said === '' ? [] : [`“${said}”`])];
  return ` (${words.join(', ')})`;
}
