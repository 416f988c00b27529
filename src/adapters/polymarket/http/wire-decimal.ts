import { AmountMalformed } from '../../../core/errors.js';
import { type Price, price, type Shares, shares } from '../../../core/money.js';

const DECIMALS = 6;
const MAX_LENGTH = 40;

/** A price of the wire, such as "0.57" or ".57". @throws AmountMalformed unless exact in 6 decimals and strictly between 0 and 1. */
export function wirePrice(text: string): Price {
  const [kept, rest] = cut(text);
  if (!consistsOf('0', rest)) throw new AmountMalformed();
  return price(kept);
}

/** A number of shares of the wire; what goes beyond 6 decimals is dropped. @throws AmountMalformed */
export function wireShares(text: string): Shares {
  const [kept, rest] = cut(text);
  if (!consistsOf('0123456789', rest)) throw new AmountMalformed();
  return shares(kept);
}

function cut(text: string): [kept: string, rest: string] {
  if (text.length > MAX_LENGTH) throw new AmountMalformed();
  const whole = text.startsWith('.') ? `0${text}` : text;
  const dot = whole.indexOf('.');
  const end = dot === -1 ? whole.length : dot + 1 + DECIMALS;
  return [whole.slice(0, end), whole.slice(end)];
}

function consistsOf(characters: string, text: string): boolean {
  return [...text].every((character) => characters.includes(character));
}
