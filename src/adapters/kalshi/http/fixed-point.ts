import * as v from 'valibot';
import { AmountMalformed } from '../../../core/errors.js';
import { CENTI_SHARE } from '../../../core/market/market.js';
import { ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import { exactMicro, priceOf } from '../../venue/decimals.js';
import { boundedText } from '../../venue/wire-types.js';

/*
 * Money and counts of the wire are decimal texts. One that is not exact in six decimals, or has a sign where none belongs, is not read as
 * anything else (`kalshi.md` 2.6, K8, K9).
 */

const read = <Value>(parse: (text: string) => Value, what: string) =>
  v.pipe(
    boundedText,
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      try {
        return parse(dataset.value);
      } catch (error) {
        if (!(error instanceof AmountMalformed)) throw error;
        addIssue({ message: `not ${what}` });
        return NEVER;
      }
    }),
  );

/** An amount of dollars, not negative. */
export const wireDollars = read((text) => exactMicro(text) as Usdc, 'an amount of dollars');

/** A price of the wire, strictly between 0 and 1: "0.0000" and "1.0000" stand for none (`kalshi.md` 4.2). */
export const wirePrice = read((text) => priceOf(exactMicro(text)), 'a price');

/** The same from a text where 0 and 1 say that there is none. */
export const wirePriceOrNone = read((text): Price | null => {
  const price = exactMicro(text);
  return price === 0n || price === ONE ? null : priceOf(price);
}, 'a price');

/** A number of contracts, in hundredths. */
export const contractCount = read((text) => centis(exactMicro(text)), 'a number of contracts');

/** A position or a change: contracts with a sign. */
export const signedContractCount = read((text) => {
  const size = signed(text);
  return (size < 0n ? -centis(-size) : centis(size)) as Shares;
}, 'a number of contracts');

/** What a share pays by a result: from 0 to 1 (`kalshi.md` 8.3). */
export const settlementValue = read((text) => {
  const value = exactMicro(text);
  if (value > ONE) throw new AmountMalformed();
  return value as Usdc;
}, 'a settlement value');

function signed(text: string): bigint {
  return text.startsWith('-') ? -exactMicro(text.slice(1)) : exactMicro(text);
}

function centis(shares: bigint): Shares {
  if (shares % CENTI_SHARE !== 0n) throw new AmountMalformed();
  return shares as Shares;
}

/** A price as the venue takes it: four decimals. @throws AmountMalformed for a finer one */
export const priceText = (price: Price): string => fixed(price, 4);

/** A number of contracts as the venue takes it: two decimals. @throws AmountMalformed for a finer one */
export const countText = (shares: Shares): string => fixed(shares, 2);

function fixed(micro: bigint, decimals: number): string {
  const step = 10n ** BigInt(6 - decimals);
  if (micro % step !== 0n) throw new AmountMalformed();
  const digits = (micro / step).toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
