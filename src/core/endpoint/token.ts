import type { PersonTarget } from './person-target.js';

const BOT_TOKEN = /^\d{1,20}:[\w-]{10,100}$/;
const ACCESS_TOKEN = /^[\x21-\x7e]{1,200}$/;

/** What is wrong with a token for a messenger, in words that follow its name and never hold it; null where nothing is. */
export function tokenProblem(kind: PersonTarget['kind'], token: string | null): string | null {
  if (kind === 'ntfy')
    return token === null || ACCESS_TOKEN.test(token) ? null : 'must have 1 to 200 visible ASCII characters';
  return token !== null && BOT_TOKEN.test(token)
    ? null
    : 'must be the token of a Telegram bot, as BotFather shows it: digits, a colon and letters';
}
