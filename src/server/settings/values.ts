import { isIP } from 'node:net';
import * as v from 'valibot';
import { isNetwork, type PortRange } from '../../adapters/transport/address-rule.js';
import { isTrustworthyUrl } from '../../adapters/transport/loopback.js';
import { accountNamed } from '../../core/access/principal.js';
import type { AccountId, VenueName } from '../../core/ids.js';
import { VENUE_NAME } from '../../core/market/market.js';
import { isZone } from '../../core/zone.js';

/** Where records are kept: in this process alone, or in the SQL database at a `sqlite:` or `postgres:` URL. */
export type DatabaseChoice = { readonly kind: 'memory' } | { readonly kind: 'sql'; readonly url: string };

/** Names of accounts, separated by commas. */
export const accounts = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((name) => accountNamed(name.trim()))),
  v.check((names) => !names.includes(undefined), 'must be names of accounts separated by commas, such as me,ops'),
  v.transform((names): readonly AccountId[] => names.filter((name) => name !== undefined)),
);

/** A host name or an IP address, to listen on. */
export const host = v.pipe(v.string(), v.regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an IP address'));

/** Host names and IP addresses, separated by commas. */
export const hosts = v.pipe(
  v.string(),
  v.transform((list): readonly string[] => list.split(',').map((name) => name.trim().replace(/^\[(.*:.*)\]$/, '$1'))),
  v.check(
    (all) => all.every((name) => isIP(name) !== 0 || /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/.test(name)),
    'must be host names or IP addresses separated by commas, without a port, such as api.example.org',
  ),
);

const PORT = 'must be a whole number from 0 to 65535';

/** A TCP port; 0 lets the system choose one. */
export const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/, PORT), v.transform(Number), v.maxValue(65_535, PORT));

/** The name of a venue. */
export const venue = v.pipe(
  v.string(),
  v.regex(VENUE_NAME, 'must be 1 to 32 of a to z, digits, _ and -, a letter first, such as polymarket'),
  v.transform((name) => name as VenueName),
);

/** A database by its URL. */
export const database = v.pipe(
  v.string(),
  v.check(
    (url) => url === 'memory:' || /^sqlite:./.test(url) || (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)),
    'must be sqlite:PATH, sqlite::memory:, memory: or postgres://USER:PASSWORD@HOST:PORT/NAME',
  ),
  v.check(
    (url) => url === url.trim() && !/\p{Cc}/u.test(url),
    'ends with a space or contains a control character, as from a file with Windows line endings',
  ),
  v.transform((url): DatabaseChoice => (url === 'memory:' ? { kind: 'memory' } : { kind: 'sql', url })),
);

/** Where market data comes from: nowhere, a venue by its name, or a recorded tape. */
export type MarketDataChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'venue'; readonly name: string }
  | { readonly kind: 'tape'; readonly path: string };

/** A source of market data by its name; `venues` are the names that venues have. */
export const marketData = (venues: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (name) => name === 'none' || venues.includes(name) || /^tape:./.test(name),
      `must be ${['none', ...venues].join(', ')} or tape:PATH`,
    ),
    v.transform((name): MarketDataChoice => {
      if (name.startsWith('tape:')) return { kind: 'tape', path: name.slice('tape:'.length) };
      return name === 'none' ? { kind: name } : { kind: 'venue', name };
    }),
  );

/** When a tape begins to play: with the server, or with the first request for orders, strategies or a page. */
export const TAPE_STARTS = ['now', 'request'] as const;

/** One of them. */
export type TapeStart = (typeof TAPE_STARTS)[number];

/** How fast a tape is played: a multiple of the recorded speed, or as fast as possible. */
export const speed = v.pipe(
  v.string(),
  v.regex(/^(max|(?=.*[1-9])\d{1,6}(\.\d{1,3})?)$/, 'must be max or a number above 0, such as 1, 0.5 or 60'),
  v.transform((text) => (text === 'max' ? text : Number(text))),
);

/** A whole number of milliseconds, a minute at most. */
export const milliseconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a whole number of milliseconds from 0 to 60000'),
  v.transform(Number),
  v.maxValue(60_000, 'must be a whole number of milliseconds from 0 to 60000'),
);

const COUNT = 'must be a whole number from 1 to 10000';
const LARGE_COUNT = 'must be a whole number from 1 to 1000000';

/** How many of something there may be. */
export const count = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}$/, COUNT),
  v.transform(Number),
  v.maxValue(10_000, COUNT),
);

/** The same, of what there may be many more of. */
export const largeCount = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,6}$/, LARGE_COUNT),
  v.transform(Number),
  v.maxValue(1_000_000, LARGE_COUNT),
);

/** How often something is done, in milliseconds; null is never. */
export const interval = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): number | null => {
    if (dataset.value === 'off') return null;
    try {
      return parseDuration(dataset.value);
    } catch {
      addIssue({
        message:
          'must be off, or a whole number of seconds, minutes, hours or days such as 30s, 5m or 1h, at most 3650d',
      });
      return NEVER;
    }
  }),
);

const SECRETS_KEY_BYTES = 32;

/** A key of 32 bytes in base64. */
export const secretsKey = v.pipe(
  v.string(),
  v.base64(`must be ${SECRETS_KEY_BYTES} bytes in base64, as openssl rand -base64 32 makes them`),
  v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
  v.check(
    ({ length }) => length === SECRETS_KEY_BYTES,
    `must be ${SECRETS_KEY_BYTES} bytes in base64, as openssl rand -base64 32 makes them`,
  ),
);

/** Networks, separated by commas. */
export const networks = v.pipe(
  v.string(),
  v.transform((list): readonly string[] => list.split(',').map((network) => network.trim())),
  v.check((all) => all.every(isNetwork), 'must be networks separated by commas, such as 192.168.1.0/24 or fd00::/8'),
);

const PORT_RANGES = 'must be ports or ranges of them separated by commas, such as 8443,9000-9100';

/** TCP ports and ranges of them, separated by commas. */
export const portRanges = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((range) => /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range.trim()))),
  v.check((all) => all.every((found) => found !== null), PORT_RANGES),
  v.transform((all): readonly PortRange[] =>
    all.map((found) => [Number(found?.[1]), Number(found?.[2] ?? found?.[1])] as const),
  ),
  v.check((all) => all.every(([first, last]) => 1 <= first && first <= last && last <= 65_535), PORT_RANGES),
);

const TELEGRAM_URL =
  'must be an https URL, or an http URL on a loopback host: the tokens of bots are a part of every address';

/** A time zone by its name in the IANA database. */
export const zone = v.pipe(
  v.string(),
  v.check(isZone, 'must be a time zone of the IANA database, such as UTC, Europe/Berlin or America/New_York'),
);

/** The address of Telegram's Bot API, or of a server of one's own with the same. */
export const telegramUrl = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)), TELEGRAM_URL),
  v.transform((url) => new URL(url)),
  v.check(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '', TELEGRAM_URL),
);

/** A URL to fetch an issuer's keys from. */
export const jwksUrl = v.pipe(
  v.string(),
  v.check(
    (url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)),
    'must be an https URL, or an http URL on a loopback host: changed keys let any caller pose as anyone',
  ),
  v.transform((url) => new URL(url)),
);

/** Web origins, separated by commas. */
export const origins = v.pipe(
  v.string(),
  v.excludes('*', 'must name each origin: * would open the API to every web page'),
  v.transform((list): readonly string[] => list.split(',').map((origin) => origin.trim())),
  v.check(
    (all) => all.every(isOrigin),
    'must be origins separated by commas, each written as a browser sends it: such as https://app.example.org',
  ),
);

function isOrigin(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONGEST = 3650 * DAY;

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
]);

const DURATION = /^([1-9]\d{0,8})([smhd])$/;

/**
 * Reads `30s`, `15m`, `12h` or `90d` into milliseconds: more than 0, at most 3650 days.
 * @throws RangeError for anything else, with a message that follows the setting's name.
 */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS.get(unit) ?? Number.NaN);
  if (milliseconds <= LONGEST) return milliseconds;
  throw new RangeError(
    'must be a whole number of seconds, minutes, hours or days such as 30s, 15m, 12h or 90d, at most 3650d',
  );
}
