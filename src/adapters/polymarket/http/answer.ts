import * as v from 'valibot';
import { type Body, bodyOf } from '../../transport/body.js';
import { type NoAnswer, noAnswer, type Result } from '../../transport/result.js';
import { cleaned } from '../../transport/said-text.js';
import type { Delivery } from '../../transport/send-once.js';

/** The venue's error body: `{"error": …}`, or `{"errorMsg": …}`, with a code and a wait beside it. */
export interface Complaint {
  readonly text: string;
  readonly code: string;
  readonly retryAfterSeconds: string | null;
}

const text = v.fallback(v.nullish(v.string()), null);
const complaint = v.object({ error: text, errorMsg: text, code: text, retry_after_seconds: text });

/** The venue's complaint; empty texts when there is none. Never throws. */
export function complaintOf(value: unknown): Complaint {
  const read = v.safeParse(complaint, value);
  const { error, errorMsg, code, retry_after_seconds } = read.success ? read.output : NO_WORDS;
  return { text: error || errorMsg || '', code: code ?? '', retryAfterSeconds: retry_after_seconds ?? null };
}

const NO_WORDS = { error: null, errorMsg: null, code: null, retry_after_seconds: null };

/** The value of an answer with status 200 and this shape; anything else is no answer. */
export function resultOf<T>(schema: v.GenericSchema<unknown, T>, delivery: Delivery): Result<T> {
  if (delivery.kind !== 'answered') return noAnswer(delivery.reason);
  const body = bodyOf(delivery);
  if (delivery.status !== 200) return refusedWith(delivery.status, body);
  if (body.form !== 'json') return noAnswer(body.form, delivery.status);
  const read = v.safeParse(schema, body.value);
  return read.success ? { kind: 'ok', value: read.output } : noAnswer('unknown_shape', delivery.status);
}

function refusedWith(status: number, body: Body): NoAnswer {
  const words = body.form === 'json' ? complaintOf(body.value).text : '';
  return noAnswer(body.form === 'page' ? 'page' : 'refused', status, cleaned(words));
}

/** A status of the venue in upper case, without the prefix that some versions put before it. */
export function wordOf(status: string, prefix: string): string {
  const word = status.toUpperCase();
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}
