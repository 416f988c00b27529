import { InvalidArgumentError } from 'commander';
import { accountNamed } from '../core/access/principal.js';
import type { AccountId } from '../core/ids.js';
import { type Usdc, usdc } from '../core/money.js';

/** The option of every command that can print JSON: its flag, and what it does. */
export const JSON_OPTION = [
  '--json',
  'print one JSON document, with names and amounts as the API writes them',
] as const;

/** An account as given on the command line. @throws InvalidArgumentError in words */
export function accountOption(text: string): AccountId {
  const account = accountNamed(text);
  if (account !== undefined) return account;
  throw new InvalidArgumentError('It takes 1 to 128 letters, digits and . _ - @ + : starting with a letter or digit.');
}

/** An amount above zero as given on the command line. @throws InvalidArgumentError in words */
export function amountOption(text: string): Usdc {
  const amount = attempt(() => usdc(text));
  if (amount !== undefined && amount > 0n) return amount;
  throw new InvalidArgumentError(
    'It takes an amount above 0 and below 1000000000 with at most 6 decimals, such as 250 or 99.5.',
  );
}

/** A number of days as given on the command line. @throws InvalidArgumentError in words */
export function daysOption(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_DAYS) return Number(text);
  throw new InvalidArgumentError(`It takes a whole number of days from 0 to ${MOST_DAYS}.`);
}

const MOST_DAYS = 365;

/** A whole number as given on the command line. @throws InvalidArgumentError in words */
export function wholeOption(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

/** A reason from the command line, as one line; `absent` for a blank one, so that a blank reason never delays a halt. */
export function reasonOption(absent: string): (text: string) => string {
  return (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || absent;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
