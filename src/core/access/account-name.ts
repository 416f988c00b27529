import type { AccountId } from '../ids.js';

/** 1 to 128 ASCII letters, digits and `. _ - @ + :`, starting with a letter or digit. */
export const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._\-@+:]{0,127}$/;

/** The account that a text names, or undefined when the text does not match `ACCOUNT_NAME`. */
export function accountNamed(text: string): AccountId | undefined {
  return ACCOUNT_NAME.test(text) ? (text as AccountId) : undefined;
}
