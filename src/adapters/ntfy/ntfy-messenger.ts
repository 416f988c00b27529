import type { NtfyTarget } from '../../core/endpoint/person-target.js';
import type { TextLimit } from '../../core/message/message-text.js';
import type { Message, Messenger, SendOutcome } from '../../ports/messenger.js';
import type { GuardedAnswer, GuardedHttp } from '../transport/guarded-http.js';
import { jsonObject, saidText } from '../transport/said-text.js';

/** ntfy counts bytes, and makes an attachment of what is longer. */
const LIMIT: TextLimit = { most: 4096, sizeOf: (text) => Buffer.byteLength(text) };
const PRIORITY = { urgent: 5, usual: 3 };

/**
 * Publishes messages to topics of ntfy servers, as JSON: a header could not hold every letter of a name.
 *
 * @example
 * ```ts
 * import { AddressRule, GuardedHttp, NtfyMessenger } from 'stakeport/webhooks';
 *
 * const ntfy = new NtfyMessenger(new GuardedHttp({ allowHttp: false, addresses: new AddressRule([]) }));
 * ```
 */
export class NtfyMessenger implements Messenger<NtfyTarget> {
  readonly limit = LIMIT;

  /** @param http where users may have requests sent to */
  constructor(private readonly http: Pick<GuardedHttp, 'post'>) {}

  async send({ url, topic }: NtfyTarget, token: string | null, message: Message): Promise<SendOutcome> {
    const { title, text, isUrgent } = message;
    const body = JSON.stringify({
      topic,
      title,
      message: text,
      priority: isUrgent ? PRIORITY.urgent : PRIORITY.usual,
      ...(isUrgent && { tags: ['rotating_light'] }),
    });
    const headers = {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    return ntfyOutcome(await this.http.post({ url: new URL(url), headers, body }), token);
  }
}

/** The allowance of a day is used up: there is no use in asking again soon. */
const DAILY = new Set([42905, 42908]);
const DAILY_WAIT_MS = 30 * 60_000;
/** The topic is none that this server has. */
const BAD_TOPIC = new Set([40009, 40010]);
const FINAL = new Set([401, 403, 404]);
const RETRIED = new Set([408, 425]);

/** What became of a message. Only what an ntfy server itself says is final: a page of a proxy is not. */
function ntfyOutcome(answer: GuardedAnswer, token: string | null): SendOutcome {
  if (answer.kind !== 'answered') return retry(`The ntfy server ${answer.reason}`);
  const { status, text, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const failure = failureIn(text, token);
  const because = `The ntfy server answered ${status}${failure === null ? '' : `: ${failure.error}`}`;
  if (status === 413) return { kind: 'too_long', because };
  if (status === 429) return retry(because, retryAfterMs ?? (DAILY.has(failure?.code ?? 0) ? DAILY_WAIT_MS : null));
  if (failure === null || status < 400 || status >= 500 || RETRIED.has(status)) return retry(because, retryAfterMs);
  const isFinal = FINAL.has(status) || BAD_TOPIC.has(failure.code);
  return { kind: isFinal ? 'gone' : 'refused', because };
}

const retry = (because: string, afterMs: number | null = null): SendOutcome => ({ kind: 'retry', because, afterMs });

/** Null where no ntfy server said it. */
function failureIn(text: string, token: string | null): { readonly code: number; readonly error: string } | null {
  const said = jsonObject(text);
  if (said === null || typeof said['code'] !== 'number' || typeof said['error'] !== 'string') return null;
  return { code: said['code'], error: saidText(said['error'], token) };
}
