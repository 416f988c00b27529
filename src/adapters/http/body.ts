import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonMalformed, JsonTooDeep, readJson } from './json-reader.js';
import { Problem } from './problem.js';
import { shown } from './shown.js';

/** A body is at most this many bytes, unless its route takes more. */
const BODY_LIMIT_BYTES = 16 * 1024;

const JSON_TYPE = 'application/json';
const MERGE_PATCH_TYPE = 'application/merge-patch+json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CHARSET = /^charset="?utf-8"?$/i;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True when the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** True when the whole request has arrived; resolves next turn, as Node announces a request before reading its body. */
export async function hasArrived(req: IncomingMessage): Promise<boolean> {
  await nextTurn();
  return req.complete;
}

/** The media types that a method accepts. */
export function mediaTypesOf(method: string): readonly string[] {
  return method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];
}

/**
 * Reads the body of a request as one JSON object.
 * @throws Problem unsupported-media-type, payload-too-large, malformed-json or validation-failed.
 */
export async function readBody(req: IncomingMessage, proceed: () => void, limit = BODY_LIMIT_BYTES): Promise<unknown> {
  checkMediaType(req);
  return jsonObjectOf(await receive(req, proceed, limit));
}

/** As `readBody`, but no body counts as an empty object, also where only its end shows that it was empty. */
export async function readOptionalBody(
  req: IncomingMessage,
  proceed: () => void,
  limit = BODY_LIMIT_BYTES,
): Promise<unknown> {
  const bytes = hasBody(req) ? await receive(req, proceed, limit) : Buffer.alloc(0);
  if (bytes.length === 0) return {};
  checkMediaType(req);
  return jsonObjectOf(bytes);
}

/**
 * Reads the body of a request as the fields of an HTML form.
 * @throws Problem unsupported-media-type or payload-too-large.
 */
export async function readForm(req: IncomingMessage, proceed: () => void, limit: number): Promise<URLSearchParams> {
  if (req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE)
    throw new Problem('unsupported-media-type', `Send the body as ${FORM_TYPE}.`);
  return new URLSearchParams((await receive(req, proceed, limit)).toString('utf8'));
}

function receive(req: IncomingMessage, proceed: () => void, limit: number): Promise<Buffer> {
  const length = Number(req.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  proceed();
  return collect(req, limit);
}

function checkMediaType(req: IncomingMessage): void {
  const types = mediaTypesOf(req.method ?? '');
  const [type, ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const accepted = types.includes((type ?? '').toLowerCase());
  const plain = parameters.length <= 1 && parameters.every((parameter) => parameter === '' || CHARSET.test(parameter));
  const coding = req.headers['content-encoding'];
  if (accepted && plain && (coding === undefined || coding.toLowerCase() === 'identity')) return;
  throw new Problem(
    'unsupported-media-type',
    `Send the body as ${types.join(' or ')}, in UTF-8, without a content coding.`,
    {
      headers: req.method === 'PATCH' ? { 'accept-patch': types.join(', ') } : { accept: types.join(', ') },
    },
  );
}

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('close', () => {
      if (!req.complete) reject(new Problem('bad-request', 'The request ended before its body.'));
    });
  });
}

/** The bytes as one JSON object, as the bodies of requests are read. @throws Problem malformed-json or validation-failed */
export function jsonObjectOf(bytes: Buffer): unknown {
  try {
    const value = readJson(decoder.decode(bytes));
    if (value !== null && typeof value === 'object' && !Array.isArray(value) && Object.getPrototypeOf(value) === null)
      return value;
    throw invalid(`must be a JSON object; got ${shown(value)}`);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof JsonTooDeep) throw invalid(error.message);
    const detail = error instanceof JsonMalformed ? error.message : 'the body is not UTF-8';
    throw new Problem('malformed-json', `The body is not acceptable JSON: ${detail}.`);
  }
}

function invalid(detail: string): Problem {
  return new Problem('validation-failed', `The body ${detail}.`, { errors: [{ pointer: '', detail }] });
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than ${limit} bytes.`);
}
