import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Precondition } from '../../core/usecases/strategies/change-strategy.js';
import { Problem } from './problem.js';

const ONCE = new Set([
  'authorization',
  'content-type',
  'content-encoding',
  'host',
  'idempotency-key',
  'if-match',
  'last-event-id',
  'x-dev-user',
]);
const MAX_HEADERS = 100;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const BARE_KEY = /^[\x20-\x21\x23-\x2b\x2d-\x7e]{1,255}$/;
const QUOTED_KEY = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/**
 * Refuses what Node lets pass: a repeated header that may occur once (Node keeps the first, or joins them), too many
 * headers, no Host, another HTTP version, and transfer codings for which proxies disagree about the end of the body.
 * @throws Problem bad-request or headers-too-large
 */
export function checkHeaders(req: IncomingMessage): void {
  const { rawHeaders, httpVersion } = req;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Problem('bad-request', 'This is an HTTP/1.1 server.', { headers: { connection: 'close' } });
  }
  if (rawHeaders.length / 2 > MAX_HEADERS) throw new Problem('headers-too-large', `More than ${MAX_HEADERS} headers.`);
  const names = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (!ONCE.has(name)) continue;
    if (names.has(name)) throw new Problem('bad-request', `The header ${name} appears more than once.`);
    names.add(name);
  }
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw new Problem('bad-request', 'HTTP/1.1 needs a Host header.', { headers: { connection: 'close' } });
  }
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && (req.httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) {
    const detail = 'The only transfer coding is chunked, in HTTP/1.1.';
    throw new Problem('bad-request', detail, { headers: { connection: 'close' } });
  }
}

/** The request's own id if it is plain and has at most 128 characters, otherwise a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * The Idempotency-Key, bare or quoted; null when none was sent.
 * @throws Problem idempotency-key-invalid
 */
export function idempotencyKeyOf(req: IncomingMessage): string | null {
  const given = req.headers['idempotency-key'];
  if (given === undefined) return null;
  const text = String(given).trim();
  if (BARE_KEY.test(text)) return text;
  const quoted = QUOTED_KEY.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1');
  if (quoted !== undefined && quoted.trim() !== '') return quoted;
  throw new Problem(
    'idempotency-key-invalid',
    'Idempotency-Key takes 1 to 255 printable ASCII characters, bare without commas, or in double quotes.',
  );
}

/** The strong entity tag of a version. */
export const entityTag = (version: number): string => `"${version}"`;

/** `If-Match` by strong comparison (RFC 9110, 13.1.1); null when it was not sent. A tag that is not ours never matches. */
export function preconditionOf(req: IncomingMessage): Precondition {
  const given = req.headers['if-match'];
  if (given === undefined) return null;
  if (given.trim() === '*') return () => true;
  const tags = new Set(given.split(',').map((tag) => tag.trim()));
  return (version) => tags.has(entityTag(version));
}
