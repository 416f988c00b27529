import { isPage } from './delivery-failure.js';
import { exactJson } from './exact-json.js';
import type { Answered } from './send-once.js';

/** The parsed body. A page is what a gateway shows to people. */
export type Body = { readonly form: 'json'; readonly value: unknown } | { readonly form: 'page' | 'unreadable' };

/** Reads the body of an answer; never throws. JSON numbers become texts, unless another parser is given. */
export function bodyOf(answer: Answered, parse: (text: string) => unknown = exactJson): Body {
  const coding = String(answer.headers['content-encoding'] ?? 'identity');
  if (coding !== 'identity') return { form: 'unreadable' };
  if (isPage(answer)) return { form: 'page' };
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
    if (decoded.trimStart().startsWith('<')) return { form: 'page' };
    return { form: 'json', value: parse(decoded) };
  } catch {
    return { form: 'unreadable' };
  }
}
