import type { TelegramTarget } from '../../core/endpoint/person-target.js';
import { tokenProblem } from '../../core/endpoint/token.js';
import type { TextLimit } from '../../core/message/fit-text.js';
import type { Message, Messenger, SendOutcome } from '../../ports/messenger.js';
import type { GuardedHttp } from '../transport/guarded-http.js';
import { telegramOutcome } from './telegram-outcome.js';

/** Telegram counts UTF-16 units. */
const LIMIT: TextLimit = { most: 4096, sizeOf: (text) => text.length };

/**
 * Sends messages as a Telegram bot, as plain text: nothing in a name can be taken for markup.
 *
 * @example
 * ```ts
 * import { TelegramMessenger } from 'stakeport/telegram';
 * import { AddressRule, GuardedHttp } from 'stakeport/webhooks';
 *
 * const http = new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) });
 * const telegram = new TelegramMessenger(new URL('https://api.telegram.org'), http);
 * ```
 */
export class TelegramMessenger implements Messenger<TelegramTarget> {
  readonly limit = LIMIT;
  readonly #base: string;

  /** @param api the address of the Bot API, such as `https://api.telegram.org` */
  constructor(
    api: URL,
    private readonly http: Pick<GuardedHttp, 'post'>,
  ) {
    this.#base = api.href.replace(/\/$/, '');
  }

  async send({ chatId, threadId }: TelegramTarget, token: string | null, { text }: Message): Promise<SendOutcome> {
    // Only such a text is safe as a part of an address.
    if (tokenProblem('telegram', token) !== null)
      return { kind: 'gone', because: 'The token is not one of a Telegram bot' };
    const body = JSON.stringify({
      chat_id: chatId,
      ...(threadId !== null && { message_thread_id: threadId }),
      text,
      link_preview_options: { is_disabled: true },
    });
    // The token is a part of the address, which therefore appears in no message of an error.
    const url = new URL(`${this.#base}/bot${token}/sendMessage`);
    const answer = await this.http.post({ url, headers: { 'content-type': 'application/json' }, body });
    return telegramOutcome(answer, token);
  }
}
