import { tokenProblem } from '../../core/endpoint/endpoint.js';
import type { Button } from '../../ports/messenger.js';
import type { GuardedAnswer, GuardedHttp } from '../transport/guarded-http.js';
import { jsonObject, saidText } from '../transport/said-text.js';

/** What became of a call; null where nothing was sent because the token is none of a bot. */
export type BotAnswer = GuardedAnswer | null;

/** Calls methods of the Bot API. */
export class BotApi {
  readonly #base: string;

  /** @param api the address of the Bot API, such as `https://api.telegram.org` */
  constructor(
    api: URL,
    private readonly http: Pick<GuardedHttp, 'post'>,
  ) {
    this.#base = api.href.replace(/\/$/, '');
  }

  async call(method: string, token: string | null, body: object): Promise<BotAnswer> {
    // Only such a text is safe as a part of an address.
    if (tokenProblem('telegram', token) !== null) return null;
    // The token is a part of the address, which therefore appears in no message of an error.
    const url = new URL(`${this.#base}/bot${token}/${method}`);
    return this.http.post({ url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }
}

/** Telegram's description of an error. */
export interface BotFailure {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Null where Telegram did not say it. */
export function failureIn(text: string, token: string | null): BotFailure | null {
  const said = jsonObject(text);
  if (said === null || said['ok'] !== false || typeof said['description'] !== 'string') return null;
  return { description: saidText(said['description'], token), parameters: objectIn(said['parameters']) };
}

/** How long Telegram asks to wait, in milliseconds; null where it does not. */
export function waitOf(failure: BotFailure | null): number | null {
  const seconds = failure?.parameters['retry_after'];
  return typeof seconds === 'number' && seconds > 0 && seconds <= DAY_SECONDS ? seconds * 1000 : null;
}

const DAY_SECONDS = 86_400;

/** Rows of buttons, as the Bot API has them. */
export const keyboardOf = (rows: readonly (readonly Button[])[]): object => ({
  inline_keyboard: rows.map((row) => row.map(({ label, data }) => ({ text: label, callback_data: data }))),
});

/** The members of an object; none where it is no object. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
