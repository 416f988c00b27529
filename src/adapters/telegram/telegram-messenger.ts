import type { TelegramTarget } from '../../core/endpoint/person-target.js';
import type { TextLimit } from '../../core/message/message-text.js';
import type { Message, Messenger, SendOutcome } from '../../ports/messenger.js';
import type { GuardedAnswer, GuardedHttp } from '../transport/guarded-http.js';
import { BotApi, type BotFailure, failureIn, keyboardOf, waitOf } from './bot-api.js';

/** Telegram counts UTF-16 units. */
const LIMIT: TextLimit = { most: 4096, sizeOf: (text) => text.length };

/**
 * Sends messages as a Telegram bot, as plain text: nothing in a name can be taken for markup.
 *
 * @example
 * ```ts
 * import { AddressRule, GuardedHttp, TelegramMessenger } from 'stakeport/webhooks';
 *
 * const http = new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) });
 * const telegram = new TelegramMessenger(new URL('https://api.telegram.org'), http);
 * ```
 */
export class TelegramMessenger implements Messenger<TelegramTarget> {
  readonly limit = LIMIT;
  readonly #api: BotApi;

  /** @param api the address of the Bot API, such as `https://api.telegram.org` */
  constructor(api: URL, http: Pick<GuardedHttp, 'post'>) {
    this.#api = new BotApi(api, http);
  }

  async send({ chatId, threadId }: TelegramTarget, token: string | null, message: Message): Promise<SendOutcome> {
    const { text, buttons = [] } = message;
    const answer = await this.#api.call('sendMessage', token, {
      chat_id: chatId,
      ...(threadId !== null && { message_thread_id: threadId }),
      text,
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 && { reply_markup: keyboardOf(buttons) }),
    });
    if (answer === null) return { kind: 'gone', because: 'The token is not one of a Telegram bot' };
    return telegramOutcome(answer, token);
  }
}

/** What a 400 says of a chat that nothing can be sent to, however often it is tried. */
const NO_CHAT =
  /chat not found|upgraded to a supergroup|thread not found|TOPIC_(CLOSED|DELETED)|PEER_ID_INVALID|CHANNEL_PRIVATE|no rights to send|not enough rights|need administrator rights|CHAT_(WRITE|RESTRICTED|SEND_PLAIN)/i;
const TOO_LONG = /too long/i;
const RETRIED = new Set([408, 409, 425]);

/** What became of a message. Only what Telegram itself says is final: a page of a proxy is not. */
function telegramOutcome(answer: GuardedAnswer, token: string | null): SendOutcome {
  if (answer.kind !== 'answered') return retry(`Telegram ${answer.reason}`);
  const { status, text, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const failure = failureIn(text, token);
  if (status === 413) return { kind: 'too_long', because: `Telegram answered ${status}` };
  if (status === 429) return retry('Telegram takes no more for a while', waitOf(failure) ?? retryAfterMs);
  if (failure === null || status >= 500 || RETRIED.has(status))
    return retry(`Telegram answered ${status}${failure === null ? '' : `: ${failure.description}`}`, retryAfterMs);
  const because = `Telegram answered ${status}: ${failure.description}`;
  if (status === 400) return badRequest(failure, because);
  const isFinal = status === 401 || status === 403 || status === 404;
  return { kind: isFinal ? 'gone' : 'refused', because };
}

function badRequest({ description, parameters }: BotFailure, because: string): SendOutcome {
  const chatId = parameters['migrate_to_chat_id'];
  if (Number.isSafeInteger(chatId)) return { kind: 'moved', chatId: `${chatId}` };
  if (TOO_LONG.test(description)) return { kind: 'too_long', because };
  return { kind: NO_CHAT.test(description) ? 'gone' : 'refused', because };
}

const retry = (because: string, afterMs: number | null = null): SendOutcome => ({ kind: 'retry', because, afterMs });
