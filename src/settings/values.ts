import * as v from 'valibot';
import { isTrustworthyUrl } from '../adapters/transport/loopback.js';
import { parseMicro, type Usdc } from '../core/money.js';

/** One of the words given. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** Any text. */
export const textSetting = v.string();

/** A text of at least `length` characters. */
export const atLeast = (length: number) =>
  v.pipe(v.string(), v.minLength(length, `must have at least ${length} characters`));

const BARE_ADDRESS = 'must be a bare address: no user name, no password, no ? and no #';

/** A service that is reached over https; over http only on a loopback host, where no one is in between. */
export const serviceUrl = v.pipe(
  v.string(),
  v.check(
    (url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)),
    'must be an https URL, or an http URL on a loopback host',
  ),
  v.check(isBareAddress, BARE_ADDRESS),
  v.transform((url) => new URL(url)),
);

/** A service that is reached over wss; over ws only on a loopback host. */
export const socketUrl = v.pipe(
  v.string(),
  v.check(
    (url) => /^wss?:/.test(url) && URL.canParse(url) && isTrustworthyUrl(new URL(url.replace(/^ws/, 'http'))),
    'must be a wss URL, or a ws URL on a loopback host',
  ),
  v.check(isBareAddress, BARE_ADDRESS),
  v.transform((url) => new URL(url)),
);

/** Whether there is a value, without the value itself. */
export const present = v.pipe(
  v.string(),
  v.transform(() => true as const),
);

/** An exact amount of USDC. */
export const usdcSetting = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return parseMicro(dataset.value) as Usdc;
    } catch {
      addIssue({ message: 'must be a plain decimal below 1000000000 with at most 6 decimals, such as 100000' });
      return NEVER;
    }
  }),
);

/** The same, above zero. */
export const usdcAboveZero = v.pipe(
  usdcSetting,
  v.check((amount) => amount > 0n, 'must be above 0'),
);

/** Paths are appended to it, and no query or fragment would reach the service. The URL check refuses what is not a URL. */
function isBareAddress(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '' && !/[?#]/.test(url);
}
