import { tokenProblem } from '../../core/endpoint/endpoint.js';
import type { TelegramTarget } from '../../core/endpoint/person-target.js';
import type { TextLimit } from '../../core/message/message-text.js';
import type { Message, Messenger, SendOutcome } from '../../ports/messenger.js';
import type { GuardedAnswer, GuardedHttp } from '../transport/guarded-http.js';
import { jsonObject, saidText } from '../transport/said-text.js';

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

/** What a 400 says of a chat that nothing can be sent to, however often it is tried. */
const NO_CHAT =
  /chat not found|upgraded to a supergroup|thread not found|TOPIC_(CLOSED|DELETED)|PEER_ID_INVALID|CHANNEL_PRIVATE|no rights to send|not enough rights|need administrator rights|CHAT_(WRITE|RESTRICTED|SEND_PLAIN)/i;
const TOO_LONG = /too long/i;
const RETRIED = new Set([408, 409, 425]);

/** Telegram's description of an error. */
interface Failure {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

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

function badRequest({ description, parameters }: Failure, because: string): SendOutcome {
  const chatId = parameters['migrate_to_chat_id'];
  if (Number.isSafeInteger(chatId)) return { kind: 'moved', chatId: `${chatId}` };
  if (TOO_LONG.test(description)) return { kind: 'too_long', because };
  return { kind: NO_CHAT.test(description) ? 'gone' : 'refused', because };
}

const retry = (because: string, afterMs: number | null = null): SendOutcome => ({ kind: 'retry', because, afterMs });

/** Null where Telegram did not say it. */
function failureIn(text: string, token: string | null): Failure | null {
  const said = jsonObject(text);
  if (said === null || said['ok'] !== false || typeof said['description'] !== 'string') return null;
  const parameters = said['parameters'];
  return {
    description: saidText(said['description'], token),
    parameters: typeof parameters === 'object' && parameters !== null ? { ...parameters } : {},
  };
}

function waitOf(failure: Failure | null): number | null {
  const seconds = failure?.parameters['retry_after'];
  return typeof seconds === 'number' && seconds > 0 && seconds <= DAY_SECONDS ? seconds * 1000 : null;
}

const DAY_SECONDS = 86_400;
