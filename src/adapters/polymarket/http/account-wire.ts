import * as v from 'valibot';
import { exactMicro } from '../../venue/decimals.js';
import { boundedText, wholeNumber } from '../../venue/wire-types.js';

const MILLIONTHS = /^\d{1,78}$/;

const amount = v.pipe(
  boundedText,
  v.check((text) => MILLIONTHS.test(text) || /^\d{1,9}\.\d{1,18}$/.test(text), 'not an amount'),
  v.transform((text) => (MILLIONTHS.test(text) ? BigInt(text) : exactMicro(text))),
);

/**
 * What the venue holds for us of one asset, in millionths: dollars of collateral or shares of a token. A whole number is
 * already millionths; a text with a point is a decimal (`polymarket.md` 2.3). It may be stale until it is refreshed.
 */
export interface VenueBalance {
  readonly balance: bigint;
  /** By contract in lower case; older answers name no contract, and then it is `*`. */
  readonly allowances: ReadonlyMap<string, bigint>;
}

/** An answer of `/balance-allowance`. */
export const venueBalance = v.pipe(
  v.object({
    balance: amount,
    allowances: v.nullish(v.record(v.string(), amount), {}),
    allowance: v.nullish(amount),
  }),
  v.transform(({ balance, allowances, allowance }): VenueBalance => {
    const named = Object.entries(allowances).map(([spender, most]): [string, bigint] => [spender.toLowerCase(), most]);
    return { balance, allowances: new Map(allowance == null ? named : [...named, ['*', allowance]]) };
  }),
);

/** An answer of `/auth/ban-status/closed-only`: true when the account may only reduce what it holds. */
export const closedOnlyFlag = v.pipe(
  v.object({ closed_only: v.boolean() }),
  v.transform(({ closed_only }) => closed_only),
);

/** An answer of `/version`: the order version that the venue accepts. */
export const orderVersion = v.pipe(
  v.object({ version: wholeNumber }),
  v.transform(({ version }) => version),
);

/** Whether the venue serves the location of this machine. */
export interface Geoblock {
  readonly blocked: boolean;
  readonly country: string;
  readonly region: string;
}

/** An answer of the geoblock address; the address of the machine in it is not kept. */
export const geoblock: v.GenericSchema<unknown, Geoblock> = v.object({
  blocked: v.boolean(),
  country: v.nullish(boundedText, ''),
  region: v.nullish(boundedText, ''),
});
