import * as v from 'valibot';
import { type Body, bodyOf } from '../../transport/body.js';
import { type NoAnswer, noAnswer, type Result } from '../../transport/result.js';
import { cleaned } from '../../transport/said-text.js';
import type { Delivery } from '../../transport/send-once.js';

/** What the venue says is wrong; empty texts where it says nothing. */
export interface KalshiError {
  /** In lower case, such as `order_already_exists`; newer ones may carry an id at their end. */
  readonly code: string;
  readonly message: string;
  readonly details: string;
}

const NOTHING_SAID: KalshiError = { code: '', message: '', details: '' };
const text = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(4096)), ''), '');
const complaint = v.object({ code: text, message: text, details: text });
const nested = v.object({ error: complaint });
const words = v.object({ error: v.string() });
const validation = v.object({ msg: v.string() });

/** The complaint in any of the four shapes of an error (`kalshi.md` 2.3). Never throws. */
export function kalshiErrorIn(value: unknown): KalshiError {
  const inside = v.safeParse(nested, value);
  if (inside.success) return lowered(inside.output.error);
  const said = v.safeParse(words, value);
  if (said.success) return { ...NOTHING_SAID, message: said.output.error };
  const invalid = v.safeParse(validation, value);
  if (invalid.success) return { ...NOTHING_SAID, message: invalid.output.msg };
  const flat = v.safeParse(complaint, value);
  return flat.success ? lowered(flat.output) : NOTHING_SAID;
}

const lowered = (said: v.InferOutput<typeof complaint>): KalshiError => ({ ...said, code: said.code.toLowerCase() });

/** True where the venue complains of anything. */
export const complains = ({ code, message, details }: KalshiError): boolean => `${code}${message}${details}` !== '';

/** The venue's own words, fit for a record and for people. */
export const saidIn = ({ code, message, details }: KalshiError): string =>
  cleaned([code, message, details].filter((part) => part !== '').join(': '));

/** The value of an answer with a status of success and this shape; anything else is no answer. */
export function kalshiResult<T>(schema: v.GenericSchema<unknown, T>, delivery: Delivery): Result<T> {
  if (delivery.kind !== 'answered') return noAnswer(delivery.reason);
  const { status } = delivery;
  const body = bodyOf(delivery);
  if (status !== 200 && status !== 201) return refusedWith(status, body);
  if (body.form !== 'json') return noAnswer(body.form, status);
  const read = v.safeParse(schema, body.value);
  return read.success ? { kind: 'ok', value: read.output } : noAnswer('unknown_shape', status);
}

function refusedWith(status: number, body: Body): NoAnswer {
  if (body.form === 'page') return noAnswer('page', status);
  return noAnswer('refused', status, body.form === 'json' ? saidIn(kalshiErrorIn(body.value)) : '');
}
