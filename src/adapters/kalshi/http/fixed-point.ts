import * as v from 'valibot';
import { AmountMalformed } from '../../../core/errors.js';
import { CENTI_SHARE } from '../../../core/market/market.js';
import type { Shares } from '../../../core/money.js';
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

/** A price of the wire, strictly between 0 and 1: "0.0000" and "1.0000" stand for none (`kalshi.md` 4.2). */
export const wirePrice = read((text) => priceOf(exactMicro(text)), 'a price');

/** A number of contracts, in hundredths. */
export const contractCount = read((text) => centis(exactMicro(text)), 'a number of contracts');

/** A position or a change: contracts with a sign. */
export const signedContractCount = read((text) => {
  const size = signed(text);
  return (size < 0n ? -centis(-size) : centis(size)) as Shares;
}, 'a number of contracts');

function signed(text: string): bigint {
  return text.startsWith('-') ? -exactMicro(text.slice(1)) : exactMicro(text);
}

function centis(shares: bigint): Shares {
  if (shares % CENTI_SHARE !== 0n) throw new AmountMalformed();
  return shares as Shares;
}
