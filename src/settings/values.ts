import * as v from 'valibot';
import { isTrustworthyUrl } from '../adapters/transport/loopback.js';
import { parseMicro, type Usdc } from '../core/money.js';
import { settingKind } from './setting.js';

/** One of the words given. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  settingKind(`one of ${words.join(', ')}`, (must) => v.picklist(words, must));

/** One of the names of a table, which is read as its value there. */
export const oneOfTable = <const Table extends Readonly<Record<string, unknown>>>(table: Table) =>
  settingKind(`one of ${Object.keys(table).join(', ')}`, (must) =>
    v.pipe(
      v.picklist(Object.keys(table), must),
      v.transform((name) => table[name] as Table[keyof Table]),
    ),
  );

/** Any text; `takes` says what is meant. */
export const textSetting = (takes: string) => settingKind(takes, () => v.string());

/** A text of at least `length` characters. */
export const atLeast = (length: number) =>
  settingKind(`at least ${length} characters`, () =>
    v.pipe(v.string(), v.minLength(length, `must have at least ${length} characters`)),
  );

const BARE_ADDRESS = 'must be a bare address: no user name, no password, no ? and no #';

/** A service that is reached over https; over http only on a loopback host, where no one is in between. */
export const serviceUrl = settingKind('an https URL, or an http URL on a loopback host', (must) =>
  v.pipe(
    v.string(),
    v.check((url) => URL.canParse(url) && isTrustworthyUrl(new URL(url)), must),
    v.check(isBareAddress, BARE_ADDRESS),
    v.transform((url) => new URL(url)),
  ),
);

/** A service that is reached over wss; over ws only on a loopback host. */
export const socketUrl = settingKind('a wss URL, or a ws URL on a loopback host', (must) =>
  v.pipe(
    v.string(),
    v.check(
      (url) => /^wss?:/.test(url) && URL.canParse(url) && isTrustworthyUrl(new URL(url.replace(/^ws/, 'http'))),
      must,
    ),
    v.check(isBareAddress, BARE_ADDRESS),
    v.transform((url) => new URL(url)),
  ),
);

/** Whether there is a value, without the value itself; `takes` says what is meant. */
export const present = (takes: string) =>
  settingKind(takes, () =>
    v.pipe(
      v.string(),
      v.transform(() => true as const),
    ),
  );

const DECIMAL = 'a plain decimal below 1000000000 with at most 6 decimals, such as 100000';

/** An exact amount of USDC. */
export const usdcSetting = settingKind(DECIMAL, amountOr);

/** An exact amount of USDC above zero. */
export const usdcAboveZero = settingKind(`${DECIMAL}, above 0`, () =>
  v.pipe(
    usdcSetting.schema,
    v.check((amount) => amount > 0n, 'must be above 0'),
  ),
);

function amountOr(must: string) {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return parseMicro(dataset.value) as Usdc;
      } catch {
        addIssue({ message: must });
        return NEVER;
      }
    }),
  );
}

/** Paths are appended to it, and no query or fragment would reach the service. The URL check refuses what is not a URL. */
function isBareAddress(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '' && !/[?#]/.test(url);
}
