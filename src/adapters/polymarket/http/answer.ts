import * as v from 'valibot';
import { type Body, bodyOf } from '../../transport/body.js';
import { type NoAnswer, noAnswer, type Result } from '../../transport/result.js';
import type { Delivery } from '../../transport/send-once.js';

/** The venue's error body: `{"error": …}`, or `{"errorMsg": …}`, with a code and a wait beside it. */
export interface Complaint {
  readonly text: string;
  readonly code: string;
  readonly retryAfterSeconds: string | null;
}

const MOST_SAID = 200;
const text = v.fallback(v.nullish(v.string()), null);
const complaint = v.object({ error: text, errorMsg: text, code: text, retry_after_seconds: text });

/** The venue's complaint; empty texts when there is none. Never throws. */
export function complaintOf(value: unknown): Complaint {
  const read = v.safeParse(complaint, value);
  const { error, errorMsg, code, retry_after_seconds } = read.success ? read.output : NO_WORDS;
  return { text: error || errorMsg || '', code: code ?? '', retryAfterSeconds: retry_after_seconds ?? null };
}

const NO_WORDS = { error: null, errorMsg: null, code: null, retry_after_seconds: null };

/**
 * A text of the venue for records and people: printable, without anything that looks like a secret, at most 200 characters.
 */
export function cleaned(words: string): string {
  const printable = words.slice(0, 4 * MOST_SAID).replaceAll(/[^\x20-\x7e]+/g, ' ');
  return printable
    .replaceAll(/[A-Za-z0-9+/_=-]{43,}/g, '…')
    .trim()
    .slice(0, MOST_SAID);
}

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
