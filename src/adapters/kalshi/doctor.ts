import { formatMicro, NO_USDC } from '../../core/money.js';
import type { Clock } from '../../ports/system.js';
import type { Check, VenueExamination } from '../../ports/venue-adapter.js';
import { missing, ok, warning } from '../../settings/check.js';
import type { NoAnswer } from '../transport/result.js';
import { paceInWords } from './http/account-allowances.js';
import type { RequestSigner } from './http/api-key.js';
import { tradesOn } from './http/exchange-status.js';
import { KalshiClient } from './http/kalshi-client.js';
import type { KalshiSettings } from './settings.js';

const MACHINE: Clock = { now: () => new Date() };
/** The venue takes requests of some ten seconds around its time. */
const TOLERATED_MS = 2000;
/** An attestation of the location that lapses sooner is worth a word. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;
const TRADES = 'write';

/** Checks the venue for this key. It only reads. */
export async function examineKalshi(settings: KalshiSettings, signer: RequestSigner): Promise<VenueExamination> {
  const { api, environment } = settings;
  const client = new KalshiClient({ api, signer, clock: MACHINE, report: () => {} });
  try {
    if (!(await client.venueClock.measure())) {
      const words = `${api.origin} does not return its time: it cannot be reached from here, or is out of service.`;
      return { checks: [missing(`${words} Check the network and KALSHI_API_URL.`)], collateral: null };
    }
    const balance = await client.balance();
    const general = [
      ok(`${api.origin} answers (${environment}).`),
      clockCheck(client.venueClock.offsetMs),
      await statusCheck(client),
    ];
    if (balance.kind !== 'ok') return { checks: [...general, refusedCheck(settings, balance)], collateral: null };
    const checks = [...general, ...(await keyChecks(client, signer.keyId)), await tierCheck(client)];
    const shards = [...balance.value.byShard].map(([shard, cash]) => `${formatMicro(cash)} on shard ${shard}`);
    const parts =
      shards.length < 2 ? '' : ` (${shards.join(', ')}: an order needs its cash on the shard of its market)`;
    const { balance: cash } = balance.value;
    const words = `The account has ${formatMicro(cash)} dollars at the venue${parts}.`;
    const isBare = [...balance.value.byShard.values()].includes(NO_USDC);
    const said = cash > NO_USDC ? (isBare ? warning(words) : ok(words)) : missing(words);
    return { checks: [...checks, said], collateral: cash };
  } finally {
    await client.close();
  }
}

function clockCheck(offsetMs: number): Check {
  if (Math.abs(offsetMs) <= TOLERATED_MS) return ok('The clock of this machine agrees with the venue.');
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  const where = offsetMs > 0 ? 'behind' : 'ahead of';
  return warning(`The clock of this machine is ${seconds} s ${where} the venue. Synchronise it with NTP.`);
}

async function statusCheck(client: KalshiClient): Promise<Check> {
  const status = await client.status();
  if (status.kind !== 'ok') return warning(`The venue does not say whether it trades${because(status)}.`);
  return tradesOn(status.value, 0)
    ? ok('The venue trades now.')
    : warning('The venue has paused trading: orders wait.');
}

async function keyChecks(client: KalshiClient, keyId: string): Promise<readonly Check[]> {
  const keys = await client.keys();
  if (keys.kind !== 'ok') return [warning(`The venue does not tell the scopes of the key${because(keys)}.`)];
  const { scopes, attestedUntil } = keys.value;
  const own = scopes.get(keyId);
  const mayTrade = own === undefined || own.length === 0 || own.some((scope) => scope.includes(TRADES));
  return [
    mayTrade
      ? ok(
          own === undefined
            ? 'The venue takes the key.'
            : `The key has the scopes ${own.join(', ') || 'of its account'}.`,
        )
      : missing(
          `The key may not trade (${own.join(', ')}): make one with the scope ${TRADES} on the web page of the venue.`,
        ),
    attestationCheck(attestedUntil),
  ];
}

function attestationCheck(until: Date | null): Check {
  if (until === null) return ok('The venue asks for no attestation of the location.');
  const day = until.toISOString().slice(0, 10);
  const leftMs = until.getTime() - MACHINE.now().getTime();
  if (leftMs <= 0)
    return missing(`The attestation of the location lapsed on ${day}: renew it on the web page of the venue.`);
  if (leftMs < SOON_MS)
    return warning(`The attestation of the location lapses on ${day}: renew it on the web page of the venue.`);
  return ok(`The location is attested until ${day}.`);
}

async function tierCheck(client: KalshiClient): Promise<Check> {
  const limits = await client.keepLimits();
  const lowest = 'what the lowest tier allows is kept to';
  if (limits.kind !== 'ok') {
    const words = `The venue does not tell what it allows the account${because(limits)}`;
    return warning(`${words}: ${lowest}, at most ${paceInWords(null)} a second.`);
  }
  const { tier, read, write } = limits.value;
  const account = `The account is of tier ${tier ?? 'unknown'}`;
  const pace = `at most ${paceInWords(limits.value)} a second`;
  if (read !== null && write !== null) {
    return ok(`${account}, with ${read} tokens a second to read and ${write} to write: ${pace}.`);
  }
  const what = [...(read === null ? ['reads'] : []), ...(write === null ? ['writes'] : [])].join(' and ');
  return warning(`${account}, but the venue tells no usable allowance of ${what}: there ${lowest}, ${pace}.`);
}

function refusedCheck({ environment }: KalshiSettings, answer: NoAnswer): Check {
  if (answer.status !== 401 && answer.status !== 403) {
    return missing(`The venue does not report the balance of the account${because(answer)}.`);
  }
  const other = environment === 'demo' ? 'production' : 'demo';
  return missing(
    `The ${environment} of the venue does not take the key${because(answer)}. Keys of ${other} do not work there: check KALSHI_ENV, KALSHI_KEY_ID and the key file.`,
  );
}

function because({ reason, status, said }: NoAnswer): string {
  const words = [reason, ...(status === null ? [] : [`status ${status}`]), ...(said === '' ? [] : [`“${said}”`])];
  return ` (${words.join(', ')})`;
}
