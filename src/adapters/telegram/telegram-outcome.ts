import type { SendOutcome } from '../../ports/messenger.js';
import type { GuardedAnswer } from '../transport/guarded-http.js';
import { jsonObject, saidText } from '../transport/said-text.js';

/** What a 400 says of a chat that nothing can be sent to, however often it is tried. */
const NO_CHAT =
  /chat not found|upgraded to a supergroup|thread not found|TOPIC_(CLOSED|DELETED)|PEER_ID_INVALID|CHANNEL_PRIVATE|no rights to send|not enough rights|need administrator rights|CHAT_(WRITE|RESTRICTED|SEND_PLAIN)/i;
const TOO_LONG = /too long/i;
const RETRIED = new Set([408, 409, 425]);

/** What Telegram said of an error. */
interface Failure {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What became of a message. Only what Telegram itself says is final: a page of a proxy is not. */
export function telegramOutcome(answer: GuardedAnswer, token: string | null): SendOutcome {
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
