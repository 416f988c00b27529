import { isIP } from 'node:net';
import * as v from 'valibot';
import { isNetwork, type PortRange } from '../../adapters/transport/address-rule.js';
import { isTrustworthyUrl } from '../../adapters/transport/loopback.js';
import { accountNamed } from '../../core/access/principal.js';
import type { AccountId, VenueName } from '../../core/ids.js';
import { VENUE_NAME } from '../../core/market/market.js';
import { isZone } from '../../core/zone.js';
import { settingKind } from '../../settings/setting.js';
import { serviceUrl } from '../../settings/values.js';
import { parseDuration } from './duration.js';

/** Where records are kept: in this process alone, or in the SQL database at a `sqlite:` or `postgres:` URL. */
export type DatabaseChoice = { readonly kind: 'memory' } | { readonly kind: 'sql'; readonly url: string };

/** Names of accounts, separated by commas. */
export const accounts = settingKind('names of accounts separated by commas, such as me,ops', (must) =>
  v.pipe(
    v.string(),
    v.transform((list) => list.split(',').map((name) => accountNamed(name.trim()))),
    v.check((names) => !names.includes(undefined), must),
    v.transform((names): readonly AccountId[] => names.filter((name) => name !== undefined)),
  ),
);

/** A host name or an IP address, to listen on. */
export const host = settingKind('a host name or an IP address', (must) =>
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9.:_-]{1,253}$/, must)),
);

/** Host names and IP addresses, separated by commas. */
export const hosts = settingKind(
  'host names or IP addresses separated by commas, without a port, such as api.example.org',
  (must) =>
    v.pipe(
      v.string(),
      v.transform((list): readonly string[] =>
        list.split(',').map((name) => name.trim().replace(/^\[(.*:.*)\]$/, '$1')),
      ),
      v.check(
        (all) => all.every((name) => isIP(name) !== 0 || /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/.test(name)),
        must,
      ),
    ),
);

/** A whole number in decimal digits, within bounds. */
const wholeNumber = (least: number, most: number, of = '') =>
  settingKind(`a whole number${of} from ${least} to ${most}`, (must) =>
    v.pipe(
      v.string(),
      v.regex(least === 0 ? /^\d{1,5}$/ : /^[1-9]\d{0,6}$/, must),
      v.transform(Number),
      v.maxValue(most, must),
    ),
  );

/** A TCP port; 0 lets the system choose one. */
export const port = wholeNumber(0, 65_535);

/** The name of a venue. */
export const venue = settingKind('1 to 32 of a to z, digits, _ and -, a letter first, such as polymarket', (must) =>
  v.pipe(
    v.string(),
    v.regex(VENUE_NAME, must),
    v.transform((name) => name as VenueName),
  ),
);

/** A database by its URL. */
export const database = settingKind(
  'sqlite:PATH, sqlite::memory:, memory: or postgres://USER:PASSWORD@HOST:PORT/NAME',
  (must) =>
    v.pipe(
      v.string(),
      v.check(
        (url) => url === 'memory:' || /^sqlite:./.test(url) || (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)),
        must,
      ),
      v.check(
        (url) => url === url.trim() && !/\p{Cc}/u.test(url),
        'ends with a space or contains a control character, as from a file with Windows line endings',
      ),
      v.transform((url): DatabaseChoice => (url === 'memory:' ? { kind: 'memory' } : { kind: 'sql', url })),
    ),
);

/** Where market data comes from: nowhere, a venue by its name, or a recorded tape. */
export type MarketDataChoice =
  | { readonly kind: 'none' }
  /** The first is the default one, and the others beside it. */
  | { readonly kind: 'venue'; readonly name: string; readonly others: readonly string[] }
  | { readonly kind: 'tape'; readonly path: string };

/** Sources of market data by their names; `venues` are the names that venues have. */
export const marketData = (venues: readonly string[]) =>
  settingKind(`${['none', ...venues].join(', ')}, both as ${venues.join(',')}, or tape:PATH`, (must) =>
    v.pipe(
      v.string(),
      v.check((text) => text === 'none' || /^tape:./.test(text) || areVenues(namesIn(text), venues), must),
      v.transform((text): MarketDataChoice => {
        if (text.startsWith('tape:')) return { kind: 'tape', path: text.slice('tape:'.length) };
        const [name = '', ...others] = namesIn(text);
        return name === 'none' ? { kind: name } : { kind: 'venue', name, others };
      }),
    ),
  );

const namesIn = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

/** True of names of venues, each of them once. */
const areVenues = (names: readonly string[], venues: readonly string[]): boolean =>
  names.every((name) => venues.includes(name)) && new Set(names).size === names.length;

/** When a tape begins to play: with the server, or with the first request for orders, strategies, a stream of markets or a page. */
export const TAPE_STARTS = ['now', 'request'] as const;

/** When the time of a tape begins. */
export type TapeStart = (typeof TAPE_STARTS)[number];

/** How fast a tape is played: a multiple of the recorded speed, or as fast as possible. */
export const speed = settingKind('max or a number above 0, such as 1, 0.5 or 60', (must) =>
  v.pipe(
    v.string(),
    v.regex(/^(max|(?=.*[1-9])\d{1,6}(\.\d{1,3})?)$/, must),
    v.transform((text) => (text === 'max' ? text : Number(text))),
  ),
);

/** A whole number of milliseconds, a minute at most. */
export const milliseconds = wholeNumber(0, 60_000, ' of milliseconds');

/** How many of something there may be. */
export const count = wholeNumber(1, 10_000);

/** A count with a larger maximum. */
export const largeCount = wholeNumber(1, 1_000_000);

/** How often something is done, in milliseconds; null is never. */
export const interval = settingKind(
  'off, or a whole number of seconds, minutes, hours or days such as 30s, 5m or 1h, at most 3650d',
  (must) =>
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }): number | null => {
        if (dataset.value === 'off') return null;
        try {
          return parseDuration(dataset.value);
        } catch {
          addIssue({ message: must });
          return NEVER;
        }
      }),
    ),
);

const SECRETS_KEY_BYTES = 32;

/** A key of 32 bytes in base64. */
export const secretsKey = settingKind(
  `${SECRETS_KEY_BYTES} bytes in base64, as openssl rand -base64 ${SECRETS_KEY_BYTES} makes them`,
  (must) =>
    v.pipe(
      v.string(),
      v.base64(must),
      v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
      v.check(({ length }) => length === SECRETS_KEY_BYTES, must),
    ),
);

/** Networks, separated by commas. */
export const networks = settingKind('networks separated by commas, such as 192.168.1.0/24 or fd00::/8', (must) =>
  v.pipe(
    v.string(),
    v.transform((list): readonly string[] => list.split(',').map((network) => network.trim())),
    v.check((all) => all.every(isNetwork), must),
  ),
);

/** TCP ports and ranges of them, separated by commas. */
export const portRanges = settingKind('ports or ranges of them separated by commas, such as 8443,9000-9100', (must) =>
  v.pipe(
    v.string(),
    v.transform((list) => list.split(',').map((range) => /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range.trim()))),
    v.check((all) => all.every((found) => found !== null), must),
    v.transform((all): readonly PortRange[] =>
      all.map((found) => [Number(found?.[1]), Number(found?.[2] ?? found?.[1])] as const),
    ),
    v.check((all) => all.every(([first, last]) => 1 <= first && first <= last && last <= 65_535), must),
  ),
);

/** A time zone by its name in the IANA database. */
export const zone = settingKind(
  'a time zone of the IANA database, such as UTC, Europe/Berlin or America/New_York',
  (must) => v.pipe(v.string(), v.check(isZone, must)),
);

/** The address of Telegram's Bot API, or of a server of one's own with the same. */
export const telegramUrl = settingKind(serviceUrl.takes, (must) => {
  const message = `${must}: the tokens of bots are a part of every address`;
  return v.pipe(
    v.string(),
    v.check((url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)), message),
    v.transform((url) => new URL(url)),
    v.check(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '', message),
  );
});

/** A URL to fetch an issuer's keys from. */
export const jwksUrl = settingKind(serviceUrl.takes, (must) =>
  v.pipe(
    v.string(),
    v.check(
      (url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)),
      `${must}: changed keys let any caller pose as anyone`,
    ),
    v.transform((url) => new URL(url)),
  ),
);

/** Web origins, separated by commas. */
export const origins = settingKind(
  'origins separated by commas, each written as a browser sends it: such as https://app.example.org',
  (must) =>
    v.pipe(
      v.string(),
      v.excludes('*', 'must name each origin: * would open the API to every web page'),
      v.transform((list): readonly string[] => list.split(',').map((origin) => origin.trim())),
      v.check((all) => all.every(isOrigin), must),
    ),
);

function isOrigin(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}
