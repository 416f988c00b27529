import * as v from 'valibot';
import { exactJson } from '../../transport/exact-json.js';
import type { Answered, Delivery } from '../../transport/send-once.js';

/** What a body turned out to be. A page is what a gateway shows to people; numbers of JSON are texts here. */
export type Body = { readonly form: 'json'; readonly value: unknown } | { readonly form: 'page' | 'unreadable' };

/** The venue told nothing that can be used; `status` is null when no whole answer came. */
export interface NoAnswer {
  readonly kind: 'no_answer';
  /** In snake_case: how the call ended, or what was wrong with the answer. */
  readonly reason: string;
  readonly status: number | null;
  /** What the venue said of it, cleaned; empty when it said nothing. */
  readonly said: string;
}

/** What a read brought. */
export type Result<T> = { readonly kind: 'ok'; readonly value: T } | NoAnswer;

/** The venue's words for what it refuses: `{"error": …}`, or `{"errorMsg": …}`, with a code and a wait beside it. */
export interface Complaint {
  readonly text: string;
  readonly code: string;
  readonly retryAfterSeconds: string | null;
}

const MOST_SAID = 200;
const text = v.fallback(v.nullish(v.string()), null);
const complaint = v.object({ error: text, errorMsg: text, code: text, retry_after_seconds: text });

/** Reads the body of an answer; never throws. */
export function bodyOf({ headers, body }: Answered): Body {
  const coding = String(headers['content-encoding'] ?? 'identity');
  if (coding !== 'identity') return { form: 'unreadable' };
  if (String(headers['content-type'] ?? '').startsWith('text/html')) return { form: 'page' };
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (decoded.trimStart().startsWith('<')) return { form: 'page' };
    return { form: 'json', value: exactJson(decoded) };
  } catch {
    return { form: 'unreadable' };
  }
}

/** What the venue complains of; empty texts when it does not. Never throws. */
export function complaintOf(value: unknown): Complaint {
  const read = v.safeParse(complaint, value);
  const { error, errorMsg, code, retry_after_seconds } = read.success ? read.output : NO_WORDS;
  return { text: error || errorMsg || '', code: code ?? '', retryAfterSeconds: retry_after_seconds ?? null };
}

const NO_WORDS = { error: null, errorMsg: null, code: null, retry_after_seconds: null };

/** A text of the venue for records and people: printable, without anything that looks like a secret, at most 200 characters. */
export function cleaned(words: string): string {
  const printable = words.slice(0, 4 * MOST_SAID).replaceAll(/[^\x20-\x7e]+/g, ' ');
  return printable
    .replaceAll(/[A-Za-z0-9+/_=-]{43,}/g, '…')
    .trim()
    .slice(0, MOST_SAID);
}

/** The value of an answer with status 200 that has this shape; everything else is no answer. */
export function resultOf<T>(schema: v.GenericSchema<unknown, T>, delivery: Delivery): Result<T> {
  if (delivery.kind !== 'answered') return noAnswer(delivery.reason);
  const body = bodyOf(delivery);
  if (delivery.status !== 200) return refusedWith(delivery.status, body);
  if (body.form !== 'json') return noAnswer(body.form, delivery.status);
  const read = v.safeParse(schema, body.value);
  return read.success ? { kind: 'ok', value: read.output } : noAnswer('unknown_shape', delivery.status);
}

/** No answer, for this reason. */
export function noAnswer(reason: string, status: number | null = null, said = ''): NoAnswer {
  return { kind: 'no_answer', reason, status, said };
}

function refusedWith(status: number, body: Body): NoAnswer {
  const words = body.form === 'json' ? complaintOf(body.value).text : '';
  return noAnswer(body.form === 'page' ? 'page' : 'refused', status, cleaned(words));
}
