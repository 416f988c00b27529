import type { SendOutcome } from '../../ports/messenger.js';
import type { GuardedAnswer } from '../transport/guarded-http.js';
import { jsonObject, saidText } from '../transport/said-text.js';

/** The allowance of a day is used up: there is no use in asking again soon. */
const DAILY = new Set([42905, 42908]);
const DAILY_WAIT_MS = 30 * 60_000;
/** The topic is none that this server has. */
const BAD_TOPIC = new Set([40009, 40010]);
const FINAL = new Set([401, 403, 404]);
const RETRIED = new Set([408, 425]);

/** What became of a message. Only what an ntfy server itself says is final: a page of a proxy is not. */
export function ntfyOutcome(answer: GuardedAnswer, token: string | null): SendOutcome {
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
